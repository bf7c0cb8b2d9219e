/// What `X-RateLimit-Remaining` counts, by how far away its window's reset is.
///
/// Upstream doesn't say which window it means. Only a month's count may lower the ledger's budget: eleven calls left in a
/// minute would else end the month.
package enum RemainingReading: Hashable, Sendable {
    /// The reset is up to 90 s away.
    case minute(Int64)
    /// The reset is up to 3,700 s away.
    case hour(Int64)
    /// The reset is farther away, on the 1st at 00:00 UTC ± 1 h.
    case month(Int64)
    /// There is no telling: no reset that can be read, one that has passed, or none of the three windows.
    case unknown

    /// Reads the two fields of an answer; nil if it has no `X-RateLimit-Remaining` that is digits alone.
    package init?(_ answer: LimitAnswer, now: UnixMilliseconds) {
        guard let field = answer.remaining.map({ RetryFieldText.trimmed($0.utf8) }),
            let count = RetryFieldText.number(field)
        else { return nil }
        let clock = answer.clock(now: now)
        guard let reset = answer.reset.flatMap({ LimitReset($0, now: clock) }), reset.instant > clock else {
            self = .unknown
            return
        }
        switch reset.instant - clock {
        case ...Self.minute: self = .minute(count)
        case ...Self.hour: self = .hour(count)
        default: self = MonthBoundary.isReset(reset.instant, after: clock) ? .month(count) : .unknown
        }
    }

    /// The calls left this month, or nil if the answer doesn't speak of the month.
    package var monthly: Int64? {
        if case .month(let count) = self { count } else { nil }
    }

    private static let minute: Duration = .seconds(90)
    /// A reset farther away is not that of an hour's window.
    static let hour: Duration = .seconds(3_700)
}
