/// The first of a month, 00:00 UTC: where upstream's monthly count starts anew.
package enum MonthBoundary {
    /// How far from the boundary a reset may lie and still be the month's: clocks and zones of one hour.
    package static let tolerance: Duration = .seconds(3_600)

    /// The first boundary after `instant`.
    package static func next(after instant: UnixMilliseconds) -> UnixMilliseconds {
        UnixMilliseconds(Int64(instant.date.nextMonthSince1970) * 86_400_000)
    }

    /// Whether a boundary lies at most `margin` before or after `instant`; the margin is under a day.
    package static func isNear(_ instant: UnixMilliseconds, within margin: Duration) -> Bool {
        let date = instant.date
        let start = UnixMilliseconds(Int64(date.daysSince1970 - date.day + 1) * 86_400_000)
        return instant - start <= margin || next(after: instant) - instant <= margin
    }

    /// Whether `reset` can be the month's: still to come, at most 32 days away, and near a boundary.
    package static func isReset(_ reset: UnixMilliseconds, after clock: UnixMilliseconds) -> Bool {
        reset > clock && reset - clock <= LimitReset.farthest && isNear(reset, within: tolerance)
    }
}
