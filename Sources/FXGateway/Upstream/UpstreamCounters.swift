import CacheLayer
import Telemetry

/// What came back from upstream, counted by reason.
///
/// Safe from any thread.
final class UpstreamCounters: Sendable {
    /// Answers that were not let in, by why.
    let refused = LabelledCounter<Refusal>()
    /// Symbols of accepted answers that had no usable number.
    let symbolsMissing = Counter()

    /// Evidence of the month's calls that was left aside, by why.
    let evidenceIgnored = LabelledCounter<EvidenceReading.Ignored>()

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
    }
}
