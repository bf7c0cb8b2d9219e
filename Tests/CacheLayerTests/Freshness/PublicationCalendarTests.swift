import Testing

@testable import CacheLayer

@Suite("The calendar of ECB publications") struct PublicationCalendarTests {
    let calendar = PublicationCalendar.ecb

    @Test(
        "knows Easter Sunday",
        arguments: [
            (2024, 3, 31), (2025, 4, 20), (2026, 4, 5), (2027, 3, 28), (2028, 4, 16), (2029, 4, 1),
            (2030, 4, 21),
            (2000, 4, 23), (2008, 3, 23), (2038, 4, 25), (2285, 3, 22),
        ] as [(Int, Int, Int)])
    func easter(year: Int, month: Int, day: Int) {
        let expected = CivilDate(year: year, month: month, day: day)
        #expect(PublicationCalendar.easterSunday(of: year) == expected)
        #expect(!calendar.isTargetDay(at: utc(year, month, day, 12)))
        #expect(!calendar.isTargetDay(at: utc(year, month, day, 12) + .seconds(-2 * 86_400)))
        #expect(!calendar.isTargetDay(at: utc(year, month, day, 12) + .seconds(86_400)))
        #expect(calendar.isTargetDay(at: utc(year, month, day, 12) + .seconds(-3 * 86_400)))
        #expect(calendar.isTargetDay(at: utc(year, month, day, 12) + .seconds(2 * 86_400)))
    }

    @Test(
        "publishes at 16:00 in Frankfurt, 15:00Z in winter and 14:00Z in summer, by the zone's rule (C063, C2)",
        arguments: [
            // The clocks go forward on Sunday 29 March 2026 …
            (utc(2026, 3, 26, 15), utc(2026, 3, 27, 15)), (utc(2026, 3, 27, 15), utc(2026, 3, 30, 14)),
            (utc(2026, 3, 29, 0, 59, 59), utc(2026, 3, 30, 14)), (utc(2026, 3, 29, 1), utc(2026, 3, 30, 14)),
            // … and back on Sunday 25 October.
            (utc(2026, 10, 22, 14), utc(2026, 10, 23, 14)), (utc(2026, 10, 23, 14), utc(2026, 10, 26, 15)),
            (utc(2026, 10, 25, 0, 30), utc(2026, 10, 26, 15)),
            (utc(2026, 10, 25, 1, 30), utc(2026, 10, 26, 15)),
            // New York's change of 8 March means nothing here.
            (utc(2026, 3, 6, 15), utc(2026, 3, 9, 15)), (utc(2026, 10, 30, 15), utc(2026, 11, 2, 15)),
        ])
    func zoneRule(instant: UnixMilliseconds, next: UnixMilliseconds) {
        #expect(calendar.next(after: instant) == next)
        #expect(calendar.last(atOrBefore: next) == next)
        #expect(calendar.last(atOrBefore: next + .milliseconds(-1)) <= instant)
    }

    @Test(
        "rests on TARGET closing days and works on 24 and 31 December (C3)",
        arguments: [
            // Thursday before Easter 2026 to the Tuesday after; 1 May 2026 is a Friday.
            (utc(2026, 4, 2, 14), utc(2026, 4, 7, 14)), (utc(2026, 4, 30, 14), utc(2026, 5, 4, 14)),
            // Good Friday 2024 is before the change of clocks, the Tuesday after it.
            (utc(2024, 3, 28, 15), utc(2024, 4, 2, 14)),
            // Christmas 2026 is a Friday and a Saturday; New Year 2027 a Friday.
            (utc(2026, 12, 23, 15), utc(2026, 12, 24, 15)), (utc(2026, 12, 24, 15), utc(2026, 12, 28, 15)),
            (utc(2026, 12, 30, 15), utc(2026, 12, 31, 15)), (utc(2026, 12, 31, 15), utc(2027, 1, 4, 15)),
            // Christmas 2024 is a Wednesday and a Thursday.
            (utc(2024, 12, 24, 15), utc(2024, 12, 27, 15)), (utc(2024, 12, 31, 15), utc(2025, 1, 2, 15)),
            // A leap day that is a Thursday.
            (utc(2024, 2, 28, 15), utc(2024, 2, 29, 15)),
        ])
    func closingDays(instant: UnixMilliseconds, next: UnixMilliseconds) {
        #expect(calendar.next(after: instant) == next)
        #expect(calendar.last(atOrBefore: next + .milliseconds(-1)) == instant)
    }

    @Test("is exact to the millisecond: `next` is later, `last` is at or before")
    func bounds() {
        let fix = utc(2026, 9, 15, 14)
        #expect(calendar.next(after: fix + .milliseconds(-1)) == fix)
        #expect(calendar.next(after: fix) == utc(2026, 9, 16, 14))
        #expect(calendar.last(atOrBefore: fix) == fix)
        #expect(calendar.last(atOrBefore: fix + .milliseconds(-1)) == utc(2026, 9, 14, 14))
    }

    @Test("publishes 253 to 259 times a year, one to five days apart")
    func years() {
        for year in 2002...2040 {
            var count = 0
            var fix = calendar.last(atOrBefore: utc(year, 1, 1))
            while true {
                let next = calendar.next(after: fix)
                let step = next - fix
                #expect(step >= .seconds(23 * 3_600) && step <= .seconds(5 * 86_400 + 3_600))
                #expect(calendar.last(atOrBefore: next + .milliseconds(-1)) == fix)
                guard next < utc(year + 1, 1, 1) else { break }
                count += 1
                fix = next
            }
            #expect((253...259).contains(count), "\(year): \(count)")
        }
    }

    @Test("answers for absurd instants too")
    func absurdInstants() {
        #expect(calendar.next(after: UnixMilliseconds(.min)) < utc(2, 1, 1))
        #expect(calendar.next(after: UnixMilliseconds(.max)) > utc(9999, 12, 17))
        #expect(calendar.last(atOrBefore: UnixMilliseconds(.max)) > utc(9999, 12, 10))
    }
}
