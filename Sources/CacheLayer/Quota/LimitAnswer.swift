/// What an answer of upstream says about limits: its status, its error code and the fields as they came.
///
/// A field that was sent more than once holds its values joined by commas.
package struct LimitAnswer: Hashable, Sendable {
    package let status: Int
    /// The error's machine word (`code` in the body) if there is one.
    package let code: String?
    /// `Retry-After`.
    package let retryAfter: String?
    /// `X-RateLimit-Reset`.
    package let reset: String?
    /// `RateLimit-Reset`.
    package let draftReset: String?
    /// `X-RateLimit-Remaining`.
    package let remaining: String?
    /// `Date`: upstream's clock.
    package let date: String?

    package init(
        status: Int, code: String? = nil, retryAfter: String? = nil, reset: String? = nil,
        draftReset: String? = nil, remaining: String? = nil, date: String? = nil
    ) {
        self.status = status
        self.code = code
        self.retryAfter = retryAfter
        self.reset = reset
        self.draftReset = draftReset
        self.remaining = remaining
        self.date = date
    }

    /// Whether upstream refuses this kind of resource to the key, where the answer asks for no pause: 403, or `forbidden`
    /// with any status.
    package var isRefusal: Bool { status == 403 || hasRefusalCode }

    /// Whether it says so by its code: a 403 alone may be meant for the key.
    package var hasRefusalCode: Bool { code == UpstreamProblem.forbidden.rawValue }

    /// Upstream's clock, by which all its dates are measured: its `Date`, or ours if it sends none that can
    /// be read.
    package func clock(now: UnixMilliseconds) -> UnixMilliseconds {
        date.flatMap { HTTPDate.instant(of: RetryFieldText.trimmed($0.utf8), now: now) } ?? now
    }
}
