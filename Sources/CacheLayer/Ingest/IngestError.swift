/// Why an upstream answer is not let in as a whole; what is held stays.
///
/// Never carries text of the body.
package enum IngestError: Error, Hashable, Sendable {
    /// The status is not 200 to 299 (a 304 too: we never ask conditionally), with upstream's code if it
    /// gave a known one.
    case not2xx(status: Int, UpstreamProblem?)
    /// `result` is not `success`, or `success` is false, with upstream's code if it gave a known one.
    case notSuccess(UpstreamProblem?)
    case notJSON
    /// An object names a member twice, or a currency comes twice, in two spellings.
    case duplicateNames
    case tooLarge
    case tooDeep
    case wrongBase
    /// No `rates`, or not one usable rate among them.
    case noRates
    /// The rows of a range are missing or can't be told apart: no date, one that wasn't asked for, or out of order.
    case badRows
    /// Not one currency in what should be the list of them.
    case noCurrencies
    /// `data_updated_at` is missing or can't be read. It is never replaced by another time.
    case noDataTime
    /// The data time is further ahead of the store's clock than clocks may differ.
    case futureData
    /// The data time is before the held one, within the same class.
    case olderData

    /// The stable word for metrics and logs.
    package var reason: String {
        switch self {
        case .not2xx: "not_2xx"
        case .notSuccess: "not_success"
        case .notJSON: "not_json"
        case .duplicateNames: "duplicate_names"
        case .tooLarge: "too_large"
        case .tooDeep: "too_deep"
        case .wrongBase: "wrong_base"
        case .noRates: "no_rates"
        case .badRows: "bad_rows"
        case .noCurrencies: "no_currencies"
        case .noDataTime: "no_data_time"
        case .futureData: "future_data"
        case .olderData: "older_data"
        }
    }

    /// Upstream's own code; nil where it gave none that is known.
    package var problem: UpstreamProblem? {
        switch self {
        case .not2xx(_, let problem), .notSuccess(let problem): problem
        case .notJSON, .duplicateNames, .tooLarge, .tooDeep, .wrongBase, .noRates, .badRows, .noCurrencies,
            .noDataTime, .futureData, .olderData:
            nil
        }
    }

    init(_ fault: JSONFault) {
        self =
            switch fault {
            case .malformed: .notJSON
            case .tooDeep: .tooDeep
            case .duplicateNames: .duplicateNames
            }
    }
}
