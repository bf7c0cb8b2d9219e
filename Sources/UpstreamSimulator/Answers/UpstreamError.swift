/// What the simulated upstream refuses, with its machine code.
enum UpstreamError: Error, Equatable {
    case unsupportedBase(String)
    case invalidPair(String)
    case missingParameter(String)
    case badDate
    case invalidAmount
    case invalidRequest(String)
    case noData(String)
    case invalidKey
    case notFound
    case methodNotAllowed
    case rateLimited
    case addressLimited
    case quotaExceeded
    case dataUnavailable

    var status: Int {
        switch self {
        case .missingParameter, .badDate, .invalidAmount, .invalidRequest: 400
        case .invalidKey: 401
        case .noData, .notFound: 404
        case .methodNotAllowed: 405
        case .unsupportedBase, .invalidPair: 422
        case .rateLimited, .addressLimited, .quotaExceeded: 429
        case .dataUnavailable: 503
        }
    }

    var code: String {
        switch self {
        case .unsupportedBase: "unsupported_base"
        case .invalidPair: "invalid_pair"
        case .missingParameter: "missing_parameter"
        case .badDate: "bad_date"
        case .invalidAmount: "invalid_amount"
        case .invalidRequest: "invalid_request"
        case .noData: "no_data_for_date"
        case .invalidKey: "invalid_api_key"
        case .notFound: "not_found"
        case .methodNotAllowed: "method_not_allowed"
        case .rateLimited: "rate_limited"
        case .addressLimited: "ip_rate_limited"
        case .quotaExceeded: "quota_exceeded"
        case .dataUnavailable: "data_unavailable"
        }
    }

    /// Quotes at most a few bytes of the request, and never a key.
    var message: String {
        switch self {
        case .unsupportedBase(let code): "\(code.prefix(16)) is not a supported base currency."
        case .invalidPair(let pair): "\(pair.prefix(16)) is not a pair of supported currencies, BASE-QUOTE."
        case .missingParameter(let name): "Parameter \(name) is needed."
        case .badDate: "Dates are real days of the form YYYY-MM-DD, first before last."
        case .invalidAmount: "The amount is not a positive decimal number."
        case .invalidRequest(let reason): reason
        case .noData(let day): "There is no data for \(day)."
        case .invalidKey: "The API key is missing or not valid."
        case .notFound: "There is nothing at this path."
        case .methodNotAllowed: "This method is not allowed here."
        case .rateLimited: "Too many requests for this key."
        case .addressLimited: "Too many requests from this address."
        case .quotaExceeded: "The monthly quota of this key is used up."
        case .dataUnavailable: "There are no rates yet."
        }
    }
}
