/// The pause of upstream calls that an answer asks for.
///
/// | answer | scope | wait |
/// | --- | --- | --- |
/// | code `quota_exceeded` (also `104`), any status | `month` | to the month's reset if a field names one (the 1st, 00:00 UTC ± 1 h), else to the month's end by upstream's `Date` and 5 s on |
/// | the same within 5 s of a month's boundary | `short` | as for a 429: the old month may still be meant |
/// | 401 or code `invalid_api_key` | `key` | 1 h |
/// | any other 429; 503 with a `Retry-After` that can be read | `short` | as told, 1 s to 1 h |
/// | all else, also a 403, which closes a kind of resource | - | no pause |
///
/// *As told* is the first of these that can be read: `Retry-After`, `X-RateLimit-Reset`, `RateLimit-Reset`, else 60 s. A
/// time that has passed gives 1 s, a longer one than an hour an hour: then one call probes.
///
/// A month's wait is upstream's word alone; where the ledger disagrees, the store probes by the hour instead.
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
        /// Nothing was told, or nothing that can be read.
        case standard
    }

    package enum Bound: String, Hashable, Sendable, CaseIterable {
        case raisedToFloor = "raised_to_floor"
        case cutToCeiling = "cut_to_ceiling"
    }

    /// Shortest and longest `short` pause.
    package static let range: ClosedRange<Duration> = .seconds(1) ... .seconds(3_600)
    /// The `short` pause where none is told.
    package static let standard: Duration = .seconds(60)
    /// The pause after the key was refused: one probe an hour.
    package static let keyWait: Duration = .seconds(3_600)
    /// How far behind the month's boundary upstream is asked again, and how near to it its word on the month is
    /// in doubt: clocks differ.
    package static let monthMargin: Duration = .seconds(5)

    private static let monthCodes: Set<String> = ["quota_exceeded", "104"]

    /// Reads the pause from an answer; nil if it asks for none.
    ///
    /// - Parameters:
    ///   - answer: status, code and fields.
    ///   - now: our wall clock, used only where upstream sends no `Date`.
    package init?(_ answer: LimitAnswer, now: UnixMilliseconds) {
        let clock = answer.clock(now: now)
        let told = Told(answer, clock: clock)
        if let code = answer.code, Self.monthCodes.contains(code) {
            self.init(month: told, clock: clock)
        } else if answer.status == 401 || answer.code == "invalid_api_key" {
            self.init(.key, .keyRejected, Told.Wait(length: Self.keyWait, basis: .standard))
        } else if answer.status == 429 {
            self.init(short: told, .rateLimited)
        } else if answer.status == 503, told.retryAfter != nil {
            self.init(short: told, .unavailable)
        } else {
            return nil
        }
    }

    private init(month told: Told, clock: UnixMilliseconds) {
        if let reset = told.waits.first(where: { MonthBoundary.isReset(clock + $0.length, after: clock) }) {
            self.init(.month, .quotaExceeded, reset)
        } else if MonthBoundary.isNear(clock, within: Self.monthMargin) {
            self.init(short: told, .quotaExceeded)
        } else {
            let end = MonthBoundary.next(after: clock) + Self.monthMargin
            self.init(.month, .quotaExceeded, Told.Wait(length: end - clock, basis: .monthEnd))
        }
    }

    private init(short told: Told, _ reason: Reason) {
        let wait = told.waits.first ?? Told.Wait(length: Self.standard, basis: .standard)
        self.init(.short, reason, wait, within: Self.range)
    }

    private init(
        _ scope: CooldownScope, _ reason: Reason, _ told: Told.Wait,
        within range: ClosedRange<Duration>? = nil
    ) {
        let wait = range.map { min(max(told.length, $0.lowerBound), $0.upperBound) } ?? told.length
        self.scope = scope
        self.wait = wait
        self.reason = reason
        basis = told.basis
        bound = wait == told.length ? nil : wait > told.length ? .raisedToFloor : .cutToCeiling
    }

    /// What the fields say, measured by upstream's clock, the field to be believed most first.
    private struct Told {
        struct Wait {
            let length: Duration
            let basis: Basis
        }

        let retryAfter: Wait?
        let waits: [Wait]

        init(_ answer: LimitAnswer, clock: UnixMilliseconds) {
            retryAfter = answer.retryAfter.flatMap { RetryAfter($0, now: clock) }.map { field in
                switch field {
                case .seconds: Wait(length: field.wait(from: clock), basis: .retryAfterSeconds)
                case .date: Wait(length: field.wait(from: clock), basis: .retryAfterDate)
                }
            }
            let reset = answer.reset.flatMap { LimitReset($0, now: clock) }
                .map { Wait(length: $0.instant - clock, basis: .reset) }
            let draft = answer.draftReset.flatMap { LimitReset(draft: $0, now: clock) }
                .map { Wait(length: $0.instant - clock, basis: .draftReset) }
            waits = [retryAfter, reset, draft].compactMap(\.self)
        }
    }
}
