/// What an answer of upstream means for the fleet's calls: the code decides before the status.
///
/// | answer | verdict |
/// | --- | --- |
/// | `rate_limited`, `ip_rate_limited` with any status; any other 429; 503 with a `Retry-After` that can be read | `pause`, scope `short` |
/// | `quota_exceeded` (also `104`) with any status | `pause`, scope `month`; within 5 s of a month's boundary `short` |
/// | `invalid_api_key`, `invalid_key`, `key_revoked` with any status | `pause`, scope `key` |
/// | `auth_unavailable` with any status; 401 or 403 without a known code | `denied` |
/// | `forbidden` (also `105`) with any status; 402; any other 4xx with a code that faults the request | `refused` |
/// | a success without a code | `ok` |
/// | all else: 5xx, redirects, a 4xx without a known code, a success that names another error | `failed` |
///
/// Of a year of history only `forbidden` and 402 are `refused`: any other code is about that one year, and a refusal would
/// close all of history.
package enum UpstreamVerdict: Hashable, Sendable {
    /// The body decides whether the answer is accepted.
    case ok
    case pause(CooldownReading)
    /// Upstream refuses the resource to the key.
    case refused
    /// Access was denied without saying whether the key is meant.
    case denied(Denial)
    /// A failed fetch.
    case failed

    /// How access was denied.
    package enum Denial: Hashable, Sendable, CaseIterable {
        /// A 401 without a code.
        case unauthorized
        /// A 403 without a code, or with a body that is not JSON.
        case forbidden
        /// `auth_unavailable`: upstream could not check the key.
        case unchecked
    }

    /// - Parameters:
    ///   - answer: status, code and fields.
    ///   - resource: what was asked for.
    ///   - now: our wall clock, used only where upstream sends no `Date`.
    package init(_ answer: LimitAnswer, of resource: Resource, now: UnixMilliseconds) {
        switch answer.code {
        case .rateLimited, .ipRateLimited: self = .pause(.short(answer, .rateLimited, now: now))
        case .quotaExceeded: self = .pause(.month(answer, now: now))
        case .invalidAPIKey, .invalidKey, .keyRevoked: self = .pause(.key(.keyRejected))
        case .authUnavailable: self = .denied(.unchecked)
        case .forbidden: self = .refused
        case .invalidPair, .unsupportedBase, .missingParameter, .badDate, .invalidAmount, .invalidRequest,
            .noDataForDate:
            self.init(byStatus: answer, now: now, coded: resource.isYear ? .failed : .refused)
        case .quotaUnavailable, .dataUnavailable, .liveUnavailable, .sourceUnavailable, .serviceUnavailable,
            .internalError:
            self.init(byStatus: answer, now: now, coded: .failed)
        case nil: self.init(byStatus: answer, now: now, coded: nil)
        }
    }

    /// `coded` is what a 4xx with this answer's code means; nil where it has no known code.
    private init(byStatus answer: LimitAnswer, now: UnixMilliseconds, coded: UpstreamVerdict?) {
        switch answer.status {
        case 429: self = .pause(.short(answer, .rateLimited, now: now))
        case 503 where answer.namesRetryAfter(now: now):
            self = .pause(.short(answer, .unavailable, now: now))
        case 402: self = .refused
        case 401: self = coded ?? .denied(.unauthorized)
        case 403: self = coded ?? .denied(.forbidden)
        case 400...499: self = coded ?? .failed
        case 200...299 where coded == nil: self = .ok
        default: self = .failed
        }
    }
}
