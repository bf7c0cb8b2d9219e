import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Simulator calendar")
struct SimulatorCalendarTests {
    @Test("days and dates agree with Foundation over a century")
    func days() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for number in stride(from: -10_957, through: 47_000, by: 13) {
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let day = CalendarDay(number: number)
            #expect(day.parts == (parts.year, parts.month, parts.day) as (Int?, Int?, Int?))
            #expect(day.weekday == ((parts.weekday ?? 0) + 5) % 7)
            #expect(CalendarDay(parsing: day.text) == day)
        }
    }

    @Test(
        "a text that names no day is refused",
        arguments: [
            "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "2026-01-32", "26-01-01", "2026/01/01",
            "2026-01-01 ", "", "２026-01-01",
        ])
    func noDay(text: String) { #expect(CalendarDay(parsing: text) == nil) }

    @Test("16:00 in Berlin is 14:00 UTC in summer and 15:00 in winter, each day for thirty years")
    func publication() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        for number in CalendarDay(year: 1999, month: 1, day: 4)
            .number...CalendarDay(year: 2029, month: 1, day: 4)
            .number
        {
            let time = PublicationCalendar.publication(on: CalendarDay(number: number))
            let date = Date(timeIntervalSince1970: Double(time.seconds))
            let local = time.milliseconds + Int64(berlin.secondsFromGMT(for: date)) * 1_000
            #expect(local == Int64(number) * 86_400_000 + 16 * 3_600_000)
        }
    }

    @Test(
        "Easter falls where the church puts it",
        arguments: [
            (2000, "2000-04-23"), (2008, "2008-03-23"), (2011, "2011-04-24"), (2019, "2019-04-21"),
            (2024, "2024-03-31"), (2026, "2026-04-05"), (2027, "2027-03-28"), (2038, "2038-04-25"),
        ])
    func easter(year: Int, day: String) { #expect(PublicationCalendar.easterSunday(of: year).text == day) }

    @Test("the rules name exactly the days without a row since 2002")
    func closingDays() throws {
        let rates = ECBRates.embedded
        var day = CalendarDay(year: 2002, month: 1, day: 1)
        while day <= rates.day(ofRow: 0) {
            let row = try #require(rates.row(onOrBefore: day))
            #expect((rates.day(ofRow: row) == day) == !PublicationCalendar.isClosed(day), "\(day.text)")
            day = day + 1
        }
    }

    @Test(
        "the latest publication is that of the last open day whose 16:00 has come",
        arguments: [
            ("2026-06-16T13:59:59.999Z", "2026-06-15"), ("2026-06-16T14:00:00Z", "2026-06-16"),
            ("2026-11-27T14:59:59Z", "2026-11-26"), ("2026-11-27T15:00:00Z", "2026-11-27"),
            ("2026-11-30T08:00:00Z", "2026-11-27"), ("2026-11-29T23:59:59Z", "2026-11-27"),
            // Summer time begins on 29 March and ends on 25 October 2026.
            ("2026-03-27T14:59:59Z", "2026-03-26"), ("2026-03-30T14:00:00Z", "2026-03-30"),
            ("2026-10-23T14:00:00Z", "2026-10-23"), ("2026-10-26T14:59:59Z", "2026-10-23"),
            ("2026-10-26T15:00:00Z", "2026-10-26"),
            // Good Friday and Easter Monday 2026.
            ("2026-04-03T18:00:00Z", "2026-04-02"), ("2026-04-06T18:00:00Z", "2026-04-02"),
            ("2026-04-07T14:00:00Z", "2026-04-07"),
            ("2027-01-01T20:00:00Z", "2026-12-31"), ("2026-12-27T20:00:00Z", "2026-12-24"),
            ("2026-05-01T20:00:00Z", "2026-04-30"),
        ])
    func latest(time: String, day: String) throws {
        #expect(try PublicationCalendar.latestPublicationDay(at: SimulatorBench.time(time)).text == day)
    }

    @Test(
        "the weekend runs from Friday to Sunday 22:00 UTC",
        arguments: [
            ("2026-11-27T21:59:59Z", MarketSession.open), ("2026-11-27T22:00:00Z", .weekend),
            ("2026-11-28T12:00:00Z", .weekend), ("2026-11-29T21:59:59Z", .weekend),
            ("2026-11-29T22:00:00Z", .open), ("2026-11-30T08:00:00Z", .open),
        ])
    func session(time: String, session: MarketSession) throws {
        #expect(try MarketSession(at: SimulatorBench.time(time)) == session)
    }

    @Test("a time is read to the millisecond and only in UTC")
    func times() throws {
        #expect(try SimulatorBench.time("2026-06-16T10:00:00.5Z").milliseconds == 1_781_604_000_500)
        #expect(try SimulatorBench.time("2026-06-16T10:00Z").text == "2026-06-16T10:00:00Z")
        for text in [
            "2026-06-16", "2026-06-16T10:00:00", "2026-06-16T24:00:00Z", "2026-06-16T10:00:00+02:00",
        ] {
            #expect(SimulatedTime(parsing: text) == nil)
        }
    }

    @Test("simulated time runs with the real one unless it is frozen")
    func clock() {
        let start = SimulatedTime(milliseconds: 5_000)
        var clock = SimulatedClock(start: start, reading: 100, isFrozen: false)
        #expect(clock.now(reading: 350).milliseconds == 5_250)
        clock.advance(by: 1_000, reading: 350)
        #expect(clock.now(reading: 360).milliseconds == 6_260)
        clock = SimulatedClock(start: nil, reading: 100, isFrozen: true)
        #expect(clock.now(reading: 350).milliseconds == 100)
        clock.set(start, reading: 400)
        #expect(clock.now(reading: 900).milliseconds == 5_000)
    }
}
