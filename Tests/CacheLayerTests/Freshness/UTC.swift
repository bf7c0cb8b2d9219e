@testable import CacheLayer

/// An instant by its date and time of day in UTC.
func utc(
    _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64 = 0, _ minute: Int64 = 0, _ second: Int64 = 0
) -> UnixMilliseconds {
    let days = PublicationCalendar.days(year: year, month: month, day: day)
    return UnixMilliseconds((days * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000)
}
