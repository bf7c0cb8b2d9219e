/// Every kind of refusal that the gateway gives, with its status and upstream's word for it.
///
/// The `type` of a problem (RFC 9457 section 3.1.1) is `urn:fxgateway:problem:` and the slug. `code` is from upstream's own
/// list wherever it has one, so that clients which decide on it go on to do the right thing.
enum ProblemKind: CaseIterable, Sendable {
    case invalidRequest, missingParameter, invalidAmount, badDate
    case unsupportedBase, invalidPair, noDataForDate
    case notFound, methodNotAllowed, gone
    case unauthorized, forbidden, conflict, allowanceSpent
    case onlyIfCached
    case upstreamCooldown, upstreamFailed, upstreamKeyRejected, ratesTooOld, quotaExhausted, storeUnavailable
    case warmingUp, freshnessUnavailable, overloaded
    case requestTimeout, contentTooLarge, targetTooLong, expectationFailed, fieldsTooLarge
    case notImplemented, versionNotSupported

    var slug: StaticString {
        switch self {
        case .invalidRequest: "invalid-request"
        case .missingParameter: "missing-parameter"
        case .invalidAmount: "invalid-amount"
        case .badDate: "bad-date"
        case .unsupportedBase: "unsupported-base"
        case .invalidPair: "invalid-pair"
        case .noDataForDate: "no-data-for-date"
        case .notFound: "not-found"
        case .methodNotAllowed: "method-not-allowed"
        case .gone: "gone"
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .conflict: "refresh-refused"
        case .allowanceSpent: "allowance-spent"
        case .onlyIfCached: "only-if-cached"
        case .upstreamCooldown: "upstream-cooldown"
        case .upstreamFailed: "upstream-failed"
        case .upstreamKeyRejected: "upstream-key-rejected"
        case .ratesTooOld: "rates-too-old"
        case .quotaExhausted: "quota-exhausted"
        case .storeUnavailable: "store-unavailable"
        case .warmingUp: "warming-up"
        case .freshnessUnavailable: "freshness-unavailable"
        case .overloaded: "overloaded"
        case .requestTimeout: "request-timeout"
        case .contentTooLarge: "content-too-large"
        case .targetTooLong: "target-too-long"
        case .expectationFailed: "expectation-failed"
        case .fieldsTooLarge: "fields-too-large"
        case .notImplemented: "not-implemented"
        case .versionNotSupported: "version-not-supported"
        }
    }

    var status: Int {
        switch self {
        case .invalidRequest, .missingParameter, .invalidAmount, .badDate: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound, .noDataForDate: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .conflict: 409
        case .allowanceSpent: 429
        case .gone: 410
        case .contentTooLarge: 413
        case .targetTooLong: 414
        case .expectationFailed: 417
        case .unsupportedBase, .invalidPair: 422
        case .fieldsTooLarge: 431
        case .notImplemented: 501
        case .upstreamCooldown, .upstreamFailed, .upstreamKeyRejected, .ratesTooOld, .quotaExhausted,
            .storeUnavailable, .warmingUp, .freshnessUnavailable, .overloaded:
            503
        case .onlyIfCached: 504
        case .versionNotSupported: 505
        }
    }

    /// The machine's word: upstream's own where it has one.
    ///
    /// What is upstream's trouble is `service_unavailable` here, never `rate_limited` or `invalid_api_key`: the caller has
    /// done nothing wrong, and its library must retry as told by `Retry-After`. Only a client over its own allowance is
    /// `rate_limited`.
    var code: StaticString {
        switch self {
        case .invalidRequest, .requestTimeout, .expectationFailed, .fieldsTooLarge, .targetTooLong:
            "invalid_request"
        case .missingParameter: "missing_parameter"
        case .invalidAmount: "invalid_amount"
        case .badDate: "bad_date"
        case .unsupportedBase: "unsupported_base"
        case .invalidPair: "invalid_pair"
        case .noDataForDate: "no_data_for_date"
        case .notFound: "not_found"
        case .methodNotAllowed: "method_not_allowed"
        case .gone: "gone"
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .conflict: "conflict"
        case .allowanceSpent: "rate_limited"
        case .contentTooLarge: "content_too_large"
        case .notImplemented: "not_implemented"
        case .versionNotSupported: "version_not_supported"
        case .ratesTooOld, .onlyIfCached, .freshnessUnavailable: "data_unavailable"
        case .upstreamCooldown, .upstreamFailed, .upstreamKeyRejected, .quotaExhausted, .storeUnavailable,
            .warmingUp, .overloaded:
            "service_unavailable"
        }
    }

    /// One short line for people, the same for every problem of the kind.
    var title: StaticString {
        switch self {
        case .invalidRequest: "The request is malformed"
        case .missingParameter: "A parameter is missing"
        case .invalidAmount: "The amount is not a number that is taken"
        case .badDate: "The date is not one"
        case .unsupportedBase: "The base currency is not supported"
        case .invalidPair: "The pair is not supported"
        case .noDataForDate: "There is no data for that date"
        case .notFound: "There is nothing at this path"
        case .methodNotAllowed: "The method is not allowed here"
        case .gone: "It is no longer kept"
        case .unauthorized: "A token is needed"
        case .forbidden: "The token is not valid"
        case .conflict: "The refresh was refused"
        case .allowanceSpent: "The client's allowance is used up"
        case .onlyIfCached: "Nothing is cached"
        case .upstreamCooldown: "Upstream calls are paused"
        case .upstreamFailed: "Upstream did not answer"
        case .upstreamKeyRejected: "Upstream refuses the gateway's key"
        case .ratesTooOld: "The rates held are too old to be served"
        case .quotaExhausted: "The month's upstream calls are used up"
        case .storeUnavailable: "The shared store can't be asked"
        case .warmingUp: "The rates are not here yet"
        case .freshnessUnavailable: "Nothing as fresh as asked for is held"
        case .overloaded: "The gateway is full"
        case .requestTimeout: "The request did not arrive in time"
        case .contentTooLarge: "The body is not taken"
        case .targetTooLong: "The request target is too long"
        case .expectationFailed: "The expectation can't be met"
        case .fieldsTooLarge: "The header is too large"
        case .notImplemented: "This is not implemented"
        case .versionNotSupported: "This HTTP version is not spoken"
        }
    }
}
