/// The machine word of an error answer, as far as it is known.
///
/// The words of upstream's `code`, and those of the gateway's problem types (`urn:fxgateway:problem:…`, RFC 9457), which
/// say more and therefore go first: what upstream calls `service_unavailable` is `upstreamCooldown` or `warmingUp` of a
/// gateway. Closed on purpose: a word not listed here is dropped, since text of the other side could repeat the key.
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
    /// The key is wrong.
    case invalidKey = "invalid_key"
    /// The key was revoked.
    case keyRevoked = "key_revoked"
    /// The plan doesn't include what was asked for, or a gateway doesn't know the token.
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
    /// The gateway has as many connections or waiting requests as it takes.
    case overloaded
    /// The request wanted an answer from memory, and nothing usable is there.
    case onlyIfCached = "only_if_cached"
    /// The gateway wants a token and there was none.
    case unauthorized
    /// There is nothing at the path.
    case notFound = "not_found"
    /// The path has no such method.
    case methodNotAllowed = "method_not_allowed"
    /// The past snapshot is not kept, or no longer.
    case gone
    /// The client is over its own allowance at the gateway.
    case allowanceSpent = "allowance_spent"
    /// An operator's refresh is held back.
    case refreshRefused = "refresh_refused"
    /// The request took too long to arrive.
    case requestTimeout = "request_timeout"
    /// The body is over the limit.
    case contentTooLarge = "content_too_large"
    /// Path and query are over the limit.
    case targetTooLong = "target_too_long"
    /// The request expects what the gateway does not do.
    case expectationFailed = "expectation_failed"
    /// The head of the request is over the limit.
    case fieldsTooLarge = "fields_too_large"
    /// The gateway doesn't know the method or the transfer coding.
    case notImplemented = "not_implemented"
    /// The gateway doesn't speak that version of HTTP.
    case versionNotSupported = "version_not_supported"

    /// Reads the word of a body, hyphens taken as underscores; nil if it is not known.
    init?(word: String) {
        self.init(rawValue: String(word.map { $0 == "-" ? "_" : $0 }))
    }

    /// Reads the last part of a problem type: a URN, a URL or a bare word.
    init?(problemType: String) {
        guard let word = problemType.split(whereSeparator: { $0 == "/" || $0 == ":" }).last else {
            return nil
        }
        self.init(word: String(word))
    }

    /// Whether the word says that the service can't answer at the moment.
    var meansUnavailable: Bool {
        switch self {
        case .quotaUnavailable, .authUnavailable, .dataUnavailable, .liveUnavailable, .sourceUnavailable,
            .serviceUnavailable, .upstreamCooldown, .upstreamFailed, .upstreamKeyRejected, .ratesTooOld,
            .quotaExhausted, .storeUnavailable, .warmingUp, .freshnessUnavailable, .overloaded:
            true
        case .invalidPair, .unsupportedBase, .missingParameter, .badDate, .invalidAmount, .invalidRequest,
            .noDataForDate, .invalidAPIKey, .invalidKey, .keyRevoked, .forbidden, .rateLimited,
            .ipRateLimited, .quotaExceeded,
            .internalError, .onlyIfCached, .unauthorized, .notFound, .methodNotAllowed, .gone,
            .allowanceSpent, .refreshRefused, .requestTimeout, .contentTooLarge, .targetTooLong,
            .expectationFailed, .fieldsTooLarge, .notImplemented, .versionNotSupported:
            false
        }
    }

    /// Whether the same request may succeed within minutes.
    ///
    /// Not a spent month, nor a key that an operator has to change.
    var isWorthWaitingFor: Bool {
        switch self {
        case .quotaExhausted, .upstreamKeyRejected: false
        case .rateLimited, .ipRateLimited, .allowanceSpent, .internalError: true
        default: meansUnavailable
        }
    }
}
