/// A kind of fault that a random run can be struck by.
package enum ChaosKind: String, Sendable, CaseIterable {
    // One instance.
    /// `kill -9`, and another process in its place.
    case kill
    /// SIGTERM, and another process in its place.
    case terminate
    /// SIGTERM, and another process in its place whose wall clock is minutes off.
    case skew
    /// SIGSTOP, then SIGCONT.
    case pause
    /// Its link to Redis swallows everything.
    case cutOff
    /// Its link to Redis is refused.
    case refuse
    /// Its link to Redis is slow.
    case slowLink
    /// Its link to Redis is reset after a few bytes, again and again.
    case breakLink
    /// Its report of a fetched answer is held back on its way to Redis, and the process stopped meanwhile.
    case lateReport
    /// SIGTERM while the grant that it was given is on its way, and the word that no call was made is answered too late; then
    /// another process in its place.
    case lateStart
    /// Upstream asks for a pause while the grant that it was given is on its way; the word that no call was made gets no
    /// answer in time, so that it is said again.
    case limitedStart
    /// Many clients at once, most of them for what isn't held.
    case burst

    // What they share.
    /// Redis is stopped (SIGSTOP), then goes on.
    case pauseStore
    /// Redis is killed; alone it comes back empty, behind Sentinel another one is promoted.
    case killStore
    /// Sentinel is told to promote another master.
    case failOver
    case flush
    /// `DEL` of the control.
    case loseControl
    /// `DEL` of the snapshot.
    case evict
    /// Garbage in place of the snapshot.
    case scramble

    // Upstream.
    case slowUpstream
    case hangUpstream
    case resetUpstream
    case failUpstream
    case limitUpstream
    case garbleUpstream
    /// Upstream's clock, and with it its data times, are off for a while.
    case shiftUpstream

    /// What can't be struck twice at one time.
    package enum Lane: Hashable, Sendable {
        case gateway(Int)
        case store
        case upstream
    }

    /// Whether it strikes one instance.
    package var isOfGateway: Bool {
        switch self {
        case .kill, .terminate, .skew, .pause, .cutOff, .refuse, .slowLink, .breakLink, .lateReport,
            .lateStart, .limitedStart,
            .burst:
            true
        case .pauseStore, .killStore, .failOver, .flush, .loseControl, .evict, .scramble, .slowUpstream,
            .hangUpstream, .resetUpstream, .failUpstream, .limitUpstream, .garbleUpstream, .shiftUpstream:
            false
        }
    }

    /// Whether writes to Redis may be gone with it.
    package var losesData: Bool {
        switch self {
        case .killStore, .failOver, .flush, .loseControl: true
        default: false
        }
    }

    /// Whether a lease may be lost by it: its holder, its record, or the word of its end.
    package var losesLease: Bool {
        switch self {
        case .kill, .terminate, .skew, .pause, .cutOff, .refuse, .slowLink, .breakLink, .lateReport,
            .lateStart, .limitedStart,
            .pauseStore, .killStore, .failOver, .flush, .loseControl:
            true
        case .burst, .evict, .scramble, .slowUpstream, .hangUpstream, .resetUpstream, .failUpstream,
            .limitUpstream, .garbleUpstream, .shiftUpstream:
            false
        }
    }

    /// Whether a call meets no good answer because of it.
    package var failsCalls: Bool {
        switch self {
        case .slowUpstream, .hangUpstream, .resetUpstream, .failUpstream, .garbleUpstream, .shiftUpstream:
            true
        default: false
        }
    }

    /// Whether it can be done to a fleet with its state there: behind Sentinel instances find the master by themselves,
    /// so that nothing can be put between.
    package func strikes(_ store: ChaosStore) -> Bool {
        switch self {
        case .cutOff, .refuse, .slowLink, .breakLink, .lateReport, .lateStart, .limitedStart:
            store == .standalone
        case .failOver: store == .sentinel
        default: true
        }
    }

    /// How long it lasts, in ms, at the least and at the most.
    package var lengths: ClosedRange<Int> {
        switch self {
        case .kill, .terminate, .skew: 200...2_500
        case .pause: 300...7_000
        case .cutOff, .refuse: 500...5_000
        case .slowLink: 1_000...4_000
        case .breakLink: 500...3_000
        // With up to five seconds until it is this one's turn to fetch.
        case .lateReport: 12_000...13_500
        case .lateStart, .limitedStart: 7_500...8_500
        case .burst, .flush, .loseControl, .evict, .scramble: 0...0
        // Behind Sentinel a longer one is a failover.
        case .pauseStore: 200...800
        case .killStore: 200...1_500
        case .failOver: 0...0
        case .slowUpstream, .garbleUpstream, .shiftUpstream: 1_500...5_000
        case .hangUpstream, .resetUpstream, .failUpstream: 1_000...4_000
        case .limitUpstream: 1_500...4_000
        }
    }
}
