package import Telemetry

/// What the refresher has done since the process began.
///
/// Safe from any thread.
package final class RefreshCounters: Sendable {
    /// Calls to upstream by how they ended; their sum is the number of calls.
    package let upstream = LabelledCounter<UpstreamResult>()
    /// Answers of the store to `begin`.
    package let begins = LabelledCounter<BeginResult>()
    /// Snapshots adopted that this instance fetched itself.
    package let adoptedOwn = Counter()
    /// Snapshots adopted out of the store.
    package let adoptedShared = Counter()
    /// Own answers that the store refused because something newer was there.
    package let fenced = Counter()
    /// Own answers whose data time went back within its class.
    package let older = Counter()
    /// Stored snapshots that could not be read.
    package let unreadable = Counter()
    /// Testimonies given to a store that had lost its control.
    package let testimonies = Counter()
    /// Evidence of the month's calls that was left aside, by why.
    package let evidenceIgnored = LabelledCounter<EvidenceReading.Ignored>()
    /// Calls to upstream made while the store was away; part of the calls.
    package let offlineCalls = Counter()
    /// Symbols whose held back value an operator has accepted here.
    package let acceptedByOperator = Counter()
    /// Commands to the store that failed.
    package let storeFailures = Counter()

    package enum UpstreamResult: String, CaseIterable, Sendable {
        case ok, older, failed
        case cutOff = "cut_off"
        case limited
        case refused
        case forbidden
    }

    package enum BeginResult: String, CaseIterable, Sendable {
        case newer, fetch, busy
        case slotsTaken = "slots_taken"
        case cooldown, refused, paced, exhausted, disputed, late, lost, failed
    }

    package init() {}
}

extension RefreshCounters.UpstreamResult {
    /// How a call ended; nil for one that was never made.
    package init?(_ outcome: FetchOutcome) {
        switch outcome {
        case .unsent: return nil
        case .answered, .told: self = .ok
        case .forbidden: self = .forbidden
        case .older: self = .older
        case .failed, .denied: self = .failed
        case .cutOff: self = .cutOff
        case .limited(let scope, _, _): self = scope == .key ? .refused : .limited
        }
    }
}

extension RefreshCounters.BeginResult {
    init(_ reply: BeginReply) {
        switch reply {
        case .newer: self = .newer
        case .fetch: self = .fetch
        case .busy: self = .busy
        case .slotsTaken: self = .slotsTaken
        case .cooldown: self = .cooldown
        case .refused: self = .refused
        case .paced: self = .paced
        case .exhausted: self = .exhausted
        case .disputed: self = .disputed
        case .late: self = .late
        case .lost: self = .lost
        }
    }
}
