/// How many calls the fleet's ledger had at the end of each day of the month, as one instance has seen it.
///
/// A pure value of at most 31 numbers; begins anew with each month, and with each process.
package struct MonthBurn: Hashable, Sendable {
    /// The ledger at the last moment of a day that was seen.
    package struct Day: Hashable, Sendable {
        /// 1 … 31, in UTC.
        package let number: Int64
        package fileprivate(set) var used: Int64
        /// By the store's clock.
        package fileprivate(set) var at: UnixMilliseconds
    }

    /// `YYYY-MM`; empty before anything was seen.
    package private(set) var month = ""
    /// What was seen first in this month: before it there is no telling how the calls were spread.
    package private(set) var first: Day?
    /// Those that were seen, in their order.
    package private(set) var days: [Day] = []

    package init() {}

    /// Takes what the store told; an answer that is older than what is known changes nothing.
    package mutating func note(_ shadow: Shadow) {
        if shadow.month != month {
            guard shadow.month > month else { return }
            month = shadow.month
            days = []
            first = nil
        }
        guard Month(containing: shadow.now).description == month else { return }
        let number = (shadow.now - Month(containing: shadow.now).start).milliseconds / 86_400_000 + 1
        let day = Day(number: number, used: shadow.counted + shadow.external, at: shadow.now)
        if first == nil { first = day }
        guard let last = days.last, last.number >= number else { return days.append(day) }
        guard last.number == number, last.at <= shadow.now else { return }
        days[days.count - 1] = day
    }
}
