import Testing

@testable import CacheLayer

@Suite("How long years hold")
struct YearScheduleTests {
    private let policy = TierPolicy()

    @Test("a day is settled fourteen days after its end, to the millisecond")
    func settledDay() {
        let day = YearSample.day("2026-06-01")
        #expect(!YearSchedule.isSettled(day, by: utc(2026, 6, 16) + .milliseconds(-1)))
        #expect(YearSchedule.isSettled(day, by: utc(2026, 6, 16)))
    }

    @Test("a year that was fetched once it was settled is kept for ten years and never asked for again")
    func settledYear() {
        let settled = YearSample.snapshot(YearSample.full(2015), fetchedAt: utc(2016, 1, 15))
        #expect(policy.nextRefresh(of: settled) > settled.fetchedAt + .seconds(50 * 365 * 86_400))
        #expect(policy.keepFor(settled) == .seconds(10 * 366 * 86_400))
        #expect(
            policy.freshness(of: nil, in: settled, age: .seconds(9 * 366 * 86_400)) == .fresh)
        let early = YearSample.snapshot(
            YearSample.full(2015), fetchedAt: utc(2016, 1, 15) + .milliseconds(-1))
        #expect(policy.nextRefresh(of: early) < early.fetchedAt + .seconds(2 * 86_400))
    }

    @Test("a year that is over waits for the day on which it is settled, not for a publication")
    func overYear() {
        // 31 December 2015 was a Thursday with a fix.
        let over = YearSample.snapshot(YearSample.full(2015), fetchedAt: utc(2016, 1, 2))
        #expect(policy.nextRefresh(of: over) == utc(2016, 1, 15))
        #expect(policy.freshUntil(of: nil, in: over) == utc(2016, 1, 15, 0, 30))
    }

    @Test("this year waits for the next publication, and is late half an hour after it")
    func thisYear() {
        let held = YearSample.snapshot(
            YearSample.full(2026, through: "2026-06-12"), fetchedAt: utc(2026, 6, 12, 15))
        // Friday's fix is held: the next one is Monday's.
        #expect(policy.nextRefresh(of: held) == utc(2026, 6, 15, 14))
        let end = utc(2026, 6, 15, 14, 30)
        #expect(policy.freshUntil(of: nil, in: held) == end)
        let age = { (instant: UnixMilliseconds) in instant - held.fetchedAt }
        #expect(policy.freshness(of: nil, in: held, age: age(end) - .milliseconds(1)) == .fresh)
        #expect(policy.freshness(of: nil, in: held, age: age(end)) == .late)
        #expect(policy.freshness(of: nil, in: held, age: age(end) + policy.dailyMaxStale) == .expired)
        #expect(policy.keepFor(held) == age(end) + policy.dailyMaxStale)
    }

    @Test("a row of an unknown class, with its day's midnight for a time, waits for the next day's fix too")
    func unknownClass() {
        let friday = YearSample.entry("2026-06-12", ["EUR": "0.9"], source: .unknown("x"))
        let held = YearSample.snapshot(YearSample.table(2026, [friday]), fetchedAt: utc(2026, 6, 12, 15))
        #expect(held.year?.rows.last?.dataTime == utc(2026, 6, 12))
        #expect(policy.nextRefresh(of: held) == utc(2026, 6, 15, 14))
    }

    @Test("a settled day of this year is fresh whatever the year is, the others are as the year is")
    func dayOfYear() throws {
        let held = YearSample.snapshot(
            YearSample.full(2026, through: "2026-06-12"), fetchedAt: utc(2026, 6, 12, 15))
        let year = try #require(held.year)
        for (text, isSettled) in [("2026-05-28", true), ("2026-05-29", false), ("2026-06-12", false)] {
            let day = YearSample.day(text)
            let one = held.on(day, year.table(of: try #require(year.row(onOrBefore: day))))
            #expect(policy.isSettled(year, in: one) == isSettled)
            #expect(
                policy.freshness(of: nil, in: one, age: .seconds(30 * 86_400))
                    == (isSettled ? .fresh : .expired))
            // The year is asked for again all the same.
            #expect(policy.nextRefresh(of: one) == policy.nextRefresh(of: held))
        }
    }

    @Test("a part of a year is due for its next page at once, and settles nothing")
    func part() throws {
        let part = YearSample.snapshot(
            YearSample.full(2015, through: "2015-06-30", isComplete: false), fetchedAt: utc(2026, 6, 12))
        #expect(policy.nextRefresh(of: part) == part.fetchedAt)
        #expect(!policy.isSettled(try #require(part.year), in: part))
        #expect(policy.keepFor(part) == policy.dailyMaxStale)
    }

    @Test("C073: an earlier row is carried only where no later one can be there by now")
    func mayLack() throws {
        let year = YearSample.full(2026, through: "2026-06-11")
        let thursday = try #require(year.rows.last)
        let lacks = { (day: String, fetchedAt: UnixMilliseconds, now: UnixMilliseconds) in
            YearSchedule.mayLack(
                YearSample.day(day), after: thursday, fetchedAt: fetchedAt, now: now)
        }
        let noon = utc(2026, 6, 12, 12)
        // Today, before and after the fix: yesterday's is what there is, and it gets late.
        #expect(!lacks("2026-06-12", noon, noon))
        #expect(!lacks("2026-06-12", noon, utc(2026, 6, 12, 23)))
        // A day later Friday has a fix that isn't held, and Saturday carries that.
        #expect(lacks("2026-06-12", noon, utc(2026, 6, 13)))
        #expect(lacks("2026-06-13", noon, utc(2026, 6, 14)))
        #expect(!lacks("2026-06-11", noon, utc(2026, 6, 14)))
        // Fetched after it should have been there: upstream has none.
        #expect(!lacks("2026-06-12", utc(2026, 6, 12, 14, 30), utc(2026, 6, 13)))
        #expect(lacks("2026-06-12", utc(2026, 6, 12, 14, 30) + .milliseconds(-1), utc(2026, 6, 13)))
        // Settled when it was fetched.
        #expect(!lacks("2026-06-12", utc(2026, 7, 1), utc(2026, 7, 2)))
    }
}
