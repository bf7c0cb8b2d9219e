/// What an answer of upstream says about limits: its status, its error code and the fields as they came.
///
/// A field that was sent more than once holds its values joined by commas.
package struct LimitAnswer: Hashable, Sendable {
    package let status: Int
    /// The error's code (`code` in the body) if it is a known one.
    package let code: UpstreamProblem?
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
        status: Int, code: UpstreamProblem? = nil, retryAfter: String? = nil, reset: String? = nil,
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

    /// Whether `Retry-After` can be read.
    func namesRetryAfter(now: UnixMilliseconds) -> Bool {
        retryAfter.flatMap { RetryAfter($0, now: clock(now: now)) } != nil
    }

    /// Upstream's clock, by which all its dates are measured: its `Date`, or ours if it sends none that can
    /// be read.
    package func clock(now: UnixMilliseconds) -> UnixMilliseconds {
        date.flatMap { HTTPDate.instant(of: RetryFieldText.trimmed($0.utf8), now: now) } ?? now
    }
}
