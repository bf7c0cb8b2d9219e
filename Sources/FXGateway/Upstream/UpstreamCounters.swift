import CacheLayer
import EventLoop
import Telemetry

/// What came back from upstream, counted by reason.
///
/// Safe from any thread.
final class UpstreamCounters: Sendable {
    /// Answers that were not let in, by why.
    let refused = LabelledCounter<Refusal>()
    /// Symbols of accepted answers that had no usable number.
    let symbolsMissing = Counter()

    /// Symbols that came under another class than the one held.
    let classChanges = Counter()
    /// Accepted answers with a class that this version doesn't know.
    let unknownSources = Counter()
    /// The names of such classes that have been told; no more than upstream could sensibly have.
    private let toldSources = Locked<Set<String>>([])
    private static let mostSources = 32

    /// Symbols whose rates jumped, by what became of them.
    let quarantine = LabelledCounter<Quarantine>()

    /// Evidence of the month's calls that was left aside, by why.
    let evidenceIgnored = LabelledCounter<EvidenceReading.Ignored>()

    enum Quarantine: String, CaseIterable, Sendable {
        case heldBack = "held_back"
        case confirmed, dismissed
    }

    enum Refusal: String, CaseIterable, Sendable {
        case not2xx = "not_2xx"
        case notSuccess = "not_success"
        case notJSON = "not_json"
        case duplicateNames = "duplicate_names"
        case tooLarge = "too_large"
        case tooDeep = "too_deep"
        case wrongBase = "wrong_base"
        case noRates = "no_rates"
        case badRows = "bad_rows"
        case noCurrencies = "no_currencies"
        case noDataTime = "no_data_time"
        case futureData = "future_data"
        case olderData = "older_data"
    }

    func refused(_ error: IngestError) {
        guard let refusal = Refusal(rawValue: error.reason) else { return }
        refused.add(refusal)
    }

    func accepted(_ notes: IngestNotes) {
        symbolsMissing.add(notes.missing.count)
        classChanges.add(notes.classChanges.count)
        if !notes.unknownSources.isEmpty { unknownSources.add() }
        quarantine.add(.heldBack, notes.quarantined.count)
        quarantine.add(.confirmed, notes.confirmed.count)
        quarantine.add(.dismissed, notes.dismissed.count)
    }

    /// Those of the names that haven't been told yet: each once in a life.
    func newSources(_ names: [String]) -> [String] {
        toldSources.withLock { told in
            names.filter { told.count < Self.mostSources && told.insert($0).inserted }
        }
    }
}
