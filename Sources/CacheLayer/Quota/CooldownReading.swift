/// How long an answer of upstream pauses calls, and why.
///
/// | pause | wait |
/// | --- | --- |
/// | `short` | the longest of the waits that the fields name, 1 s to 1 h; 60 s if none can be read |
/// | `month` | to the month's reset if a field names one (the 1st, 00:00 UTC ± 1 h), else to the month's end by upstream's `Date` and 5 s on |
/// | `key` | 1 h |
///
/// The fields are `Retry-After`, `X-RateLimit-Reset` and `RateLimit-Reset`. A reset more than 3,700 s away is that of the
/// month and counts for a `short` pause only if no other wait is named. A time that has passed gives 1 s, a longer one than
/// an hour an hour: then one call probes.
package struct CooldownReading: Hashable, Sendable {
    package let scope: CooldownScope
    package let wait: Duration
    package let reason: Reason
    package let basis: Basis
    /// How the wait was brought within its bounds; nil if it lay there.
    package let bound: Bound?

    /// Why there is a pause; the word in the cooldown's record.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case rateLimited = "rate_limited"
        case quotaExceeded = "quota_exceeded"
        case keyRejected = "key_rejected"
        /// Access was denied again and again, and never with a code that says why.
        case accessDenied = "access_denied"
        case unavailable
    }

    /// What the length of the pause was taken from.
    package enum Basis: String, Hashable, Sendable, CaseIterable {
        case retryAfterSeconds = "retry_after_seconds"
        case retryAfterDate = "retry_after_date"
        /// `X-RateLimit-Reset`.
        case reset
        /// `RateLimit-Reset`.
        case draftReset = "draft_reset"
        /// The end of the calendar month.
        case monthEnd = "month_end"
        /// Nothing was named, or nothing that can be read.
        case standard
    }

    package enum Bound: String, Hashable, Sendable, CaseIterable {
        case raisedToFloor = "raised_to_floor"
        case cutToCeiling = "cut_to_ceiling"
    }

    /// Shortest and longest `short` pause.
    package static let range: ClosedRange<Duration> = .seconds(1) ... .seconds(3_600)
    /// The `short` pause where no wait is named.
    package static let standard: Duration = .seconds(60)
    /// The pause after the key was refused: one probe an hour.
    package static let keyWait: Duration = .seconds(3_600)
    /// How far behind the month's boundary upstream is asked again, and how near to it its word on the month is
    /// in doubt: clocks differ.
    package static let monthMargin: Duration = .seconds(5)

    /// A rate limit's pause.
    static func short(_ answer: LimitAnswer, _ reason: Reason, now: UnixMilliseconds) -> CooldownReading {
        CooldownReading(short: NamedWaits(answer, now: now), reason)
    }

    /// A used-up month's pause; a short one where the old month may still be meant.
    ///
    /// A month's wait is upstream's word alone; where the ledger disagrees, the store probes by the hour instead.
    static func month(_ answer: LimitAnswer, now: UnixMilliseconds) -> CooldownReading {
        let clock = answer.clock(now: now)
        let named = NamedWaits(answer, now: now)
        if let reset = named.all.first(where: { MonthBoundary.isReset(clock + $0.length, after: clock) }) {
            return CooldownReading(.month, .quotaExceeded, reset)
        }
        guard !MonthBoundary.isNear(clock, within: monthMargin) else {
            return CooldownReading(short: named, .quotaExceeded)
        }
        let end = MonthBoundary.next(after: clock) + monthMargin
        return CooldownReading(.month, .quotaExceeded, NamedWaits.Wait(length: end - clock, basis: .monthEnd))
    }

    /// The pause of all calls with this key.
    static func key(_ reason: Reason) -> CooldownReading {
        CooldownReading(.key, reason, NamedWaits.Wait(length: keyWait, basis: .standard))
    }

    private init(short named: NamedWaits, _ reason: Reason) {
        let wait = named.longest ?? NamedWaits.Wait(length: Self.standard, basis: .standard)
        self.init(.short, reason, wait, within: Self.range)
    }

    private init(
        _ scope: CooldownScope, _ reason: Reason, _ named: NamedWaits.Wait,
        within range: ClosedRange<Duration>? = nil
    ) {
        let wait = range.map { min(max(named.length, $0.lowerBound), $0.upperBound) } ?? named.length
        self.scope = scope
        self.wait = wait
        self.reason = reason
        basis = named.basis
        bound = wait == named.length ? nil : wait > named.length ? .raisedToFloor : .cutToCeiling
    }
}
