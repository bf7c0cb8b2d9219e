@testable import CacheLayer

/// An instant by its date and time of day in UTC.
func utc(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
) -> UnixMilliseconds {
    guard let date = CivilDate(year: year, month: month, day: day) else {
        preconditionFailure("\(year)-\(month)-\(day) is no day")
    }
    return UnixMilliseconds(date, secondOfDay: hour * 3_600 + minute * 60 + second)
}
