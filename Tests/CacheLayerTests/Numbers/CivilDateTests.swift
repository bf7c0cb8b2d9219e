import Foundation
import Testing

@testable import CacheLayer

@Suite("Civil dates")
struct CivilDateTests {
    @Test("every day from 1970 to 9999 follows the one before, forth and back")
    func everyDay() throws {
        var date = try #require(CivilDate(year: 1970, month: 1, day: 1))
        var weekday = 4
        for days in 0...2_932_896 {
            if date.daysSince1970 != days || date.weekday != weekday || CivilDate(daysSince1970: days) != date
            {
                Issue.record("day \(days) is not \(date)")
                return
            }
            weekday = (weekday + 1) % 7
            guard
                let next = CivilDate(year: date.year, month: date.month, day: date.day + 1)
                    ?? CivilDate(year: date.year, month: date.month + 1, day: 1)
                    ?? CivilDate(year: date.year + 1, month: 1, day: 1)
            else {
                #expect(days == 2_932_896)
                return
            }
            date = next
        }
    }

    @Test(
        "known days have their known numbers",
        arguments: [
            (0, 1, 1, -719_528), (0, 2, 29, -719_469), (1600, 2, 29, -135_081), (1969, 12, 31, -1),
            (1970, 1, 1, 0),
            (2000, 2, 29, 11_016), (2026, 3, 10, 20_522), (9999, 12, 31, 2_932_896),
        ])
    func known(year: Int, month: Int, day: Int, number: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.daysSince1970 == number)
        #expect(CivilDate(daysSince1970: number) == date)
    }

    @Test(
        "days that don't exist are refused",
        arguments: [
            (2026, 2, 29), (2026, 2, 30), (2100, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1),
            (2026, 0, 1),
            (2026, 1, 0), (2026, 1, 32), (10_000, 1, 1), (-1, 1, 1), (2026, -3, 5), (Int.max, 1, 1),
        ])
    func impossible(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test("days out of range are the nearest within, at any distance")
    func clamped() {
        #expect(CivilDate(daysSince1970: .max).year == 9_999)
        #expect(CivilDate(daysSince1970: 2_932_897).daysSince1970 == 2_932_896)
        #expect(CivilDate(daysSince1970: .min) == CivilDate(year: 0, month: 1, day: 1))
        #expect(UnixMilliseconds(.max).rfc3339.hasPrefix("9999-12-31T"))
        #expect(UnixMilliseconds(.min).rfc3339.hasPrefix("0000-01-01T"))
    }

    @Test(
        "the next month begins behind the last day",
        arguments: [
            (2026, 3, 31, 2026, 4), (2026, 12, 1, 2027, 1), (2028, 2, 29, 2028, 3), (2026, 2, 1, 2026, 3),
        ])
    func nextMonth(year: Int, month: Int, day: Int, nextYear: Int, next: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(
            CivilDate(daysSince1970: date.nextMonthSince1970)
                == CivilDate(year: nextYear, month: next, day: 1))
    }

    @Test("instants are written as RFC 3339 and as HTTP dates, rounded down")
    func text() {
        let instant = UnixMilliseconds(1_781_618_523_999)
        #expect(instant.rfc3339 == "2026-06-16T14:02:03Z")
        #expect(instant.httpDate == "Tue, 16 Jun 2026 14:02:03 GMT")
        #expect(UnixMilliseconds(0).rfc3339 == "1970-01-01T00:00:00Z")
        #expect(UnixMilliseconds(0).httpDate == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(UnixMilliseconds(-1).rfc3339 == "1969-12-31T23:59:59Z")
        #expect(UnixMilliseconds(253_402_300_799_999).rfc3339 == "9999-12-31T23:59:59Z")
    }

    @Test("random instants are written as Foundation writes them, and read back")
    func againstFoundation() throws {
        var cases = NumberCases(seed: 3)
        for _ in 0..<20_000 {
            let seconds = Int64.random(in: 0...253_402_300_799, using: &cases)
            let text = UnixMilliseconds(seconds * 1_000).rfc3339
            let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            if text != date.formatted(.iso8601) { Issue.record("\(seconds): \(text)") }
            #expect(try Timestamp(rfc3339: text).instant.value == seconds * 1_000)
            let http = UnixMilliseconds(seconds * 1_000).httpDate
            #expect(HTTPDate.instant(of: http.utf8, now: UnixMilliseconds(0))?.value == seconds * 1_000)
        }
    }
}
