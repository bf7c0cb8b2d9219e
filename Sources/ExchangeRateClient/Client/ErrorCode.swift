/// The machine word of an error answer, as far as it is known.
///
/// Closed on purpose: a word not listed here is dropped, since text of the other side could repeat the key.
public enum ErrorCode: String, Sendable, Hashable, CaseIterable {
    /// The pair is not of the form base-quote.
    case invalidPair = "invalid_pair"
    /// The currency is not offered.
    case unsupportedBase = "unsupported_base"
    /// A parameter is missing.
    case missingParameter = "missing_parameter"
    /// The date is malformed or out of range.
    case badDate = "bad_date"
    /// The amount is not a number that can be converted.
    case invalidAmount = "invalid_amount"
    /// Something else is wrong with the request.
    case invalidRequest = "invalid_request"
    /// There are no rates for that day.
    case noDataForDate = "no_data_for_date"
    /// The key is missing or wrong.
    case invalidAPIKey = "invalid_api_key"
    /// The plan doesn't include what was asked for.
    case forbidden
    /// Too many calls of this key in a short time.
    case rateLimited = "rate_limited"
    /// Too many calls from this address without a key.
    case ipRateLimited = "ip_rate_limited"
    /// The calls of the month are used up.
    case quotaExceeded = "quota_exceeded"
    /// Upstream can't count calls at the moment.
    case quotaUnavailable = "quota_unavailable"
    /// Upstream can't check keys at the moment.
    case authUnavailable = "auth_unavailable"
    /// Upstream has no data at the moment.
    case dataUnavailable = "data_unavailable"
    /// The live feed is out.
    case liveUnavailable = "live_unavailable"
    /// One of upstream's sources is out.
    case sourceUnavailable = "source_unavailable"
    /// Upstream is out as a whole.
    case serviceUnavailable = "service_unavailable"
    /// Upstream failed.
    case internalError = "internal_error"
    /// The gateway's upstream asked it to pause.
    case upstreamCooldown = "upstream_cooldown"
    /// The gateway's upstream failed and there is nothing to serve instead.
    case upstreamFailed = "upstream_failed"
    /// The gateway's own key was refused.
    case upstreamKeyRejected = "upstream_key_rejected"
    /// What the gateway has is beyond the limit of age.
    case ratesTooOld = "rates_too_old"
    /// The gateway's calls of the month are used up.
    case quotaExhausted = "quota_exhausted"
    /// The gateway's shared store is away.
    case storeUnavailable = "store_unavailable"
    /// The gateway has only just started.
    case warmingUp = "warming_up"
    /// What the gateway has does not meet the freshness asked for.
    case freshnessUnavailable = "freshness_unavailable"

    /// Reads the word of a body, hyphens taken as underscores; nil if it is not known.
    init?(word: String) {
        self.init(rawValue: String(word.map { $0 == "-" ? "_" : $0 }))
    }

    /// Whether the word says that asking later can help.
    var meansUnavailable: Bool {
        switch self {
        case .quotaUnavailable, .authUnavailable, .dataUnavailable, .liveUnavailable, .sourceUnavailable,
            .serviceUnavailable, .upstreamCooldown, .upstreamFailed, .upstreamKeyRejected, .ratesTooOld,
            .quotaExhausted, .storeUnavailable, .warmingUp, .freshnessUnavailable:
            true
        case .invalidPair, .unsupportedBase, .missingParameter, .badDate, .invalidAmount, .invalidRequest,
            .noDataForDate, .invalidAPIKey, .forbidden, .rateLimited, .ipRateLimited, .quotaExceeded,
            .internalError:
            false
        }
    }
}
