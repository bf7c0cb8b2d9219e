import Testing

@testable import CacheLayer

@Suite("Daily publications that have not come") struct PublicationWatchTests {
    private let monday = utc(2026, 9, 14, 14)
    private let tuesday = utc(2026, 9, 15, 14)

    @Test(
        "C5: one counts once an answer fetched at the end of its grace lacks it, and only once, however late")
    func once() {
        var watch = PublicationWatch(from: tuesday + .seconds(-3_600))
        #expect(watch.note(newestFix: monday, fetchedAt: tuesday).isEmpty)
        #expect(watch.note(newestFix: monday, fetchedAt: tuesday + .milliseconds(1_799_999)).isEmpty)
        #expect(watch.note(newestFix: monday, fetchedAt: tuesday + .seconds(1_800)) == [tuesday])
        for hour in 1...6 {
            let news = watch.note(newestFix: monday, fetchedAt: tuesday + .seconds(Int64(hour) * 3_600))
            #expect(news.isEmpty)
        }
        #expect(watch.note(newestFix: tuesday, fetchedAt: tuesday + .seconds(6 * 3_600 + 60)).isEmpty)
        #expect(watch.missed == 1)
    }

    @Test("one that comes within its grace is no miss, nor is any while nothing is fetched")
    func inTime() {
        var watch = PublicationWatch(from: tuesday)
        #expect(watch.note(newestFix: tuesday, fetchedAt: tuesday + .seconds(1_800)).isEmpty)
        // A week without a call, then an answer that has it all.
        #expect(watch.note(newestFix: utc(2026, 9, 22, 14), fetchedAt: utc(2026, 9, 22, 16)).isEmpty)
        #expect(watch.missed == 0)
    }

    @Test("each that stays out counts; weekends and holidays don't")
    func several() {
        var watch = PublicationWatch(from: utc(2026, 4, 2, 15))
        let thursday = utc(2026, 4, 2, 14)
        // Good Friday to Easter Monday.
        #expect(watch.note(newestFix: thursday, fetchedAt: utc(2026, 4, 7, 14, 29)).isEmpty)
        let news = watch.note(newestFix: thursday, fetchedAt: utc(2026, 4, 8, 15))
        #expect(news == [utc(2026, 4, 7, 14), utc(2026, 4, 8, 14)])
        #expect(watch.missed == 2)
    }

    @Test("what was missing before an instance began is not its to count")
    func start() {
        var watch = PublicationWatch(from: tuesday + .seconds(1_800))
        #expect(watch.note(newestFix: monday, fetchedAt: tuesday + .seconds(1_800)).isEmpty)
        #expect(watch.note(newestFix: monday, fetchedAt: utc(2026, 9, 16, 14, 30)) == [utc(2026, 9, 16, 14)])
    }

    @Test("a clock far ahead costs a bounded look")
    func farAhead() {
        var watch = PublicationWatch(from: tuesday)
        #expect(watch.note(newestFix: tuesday, fetchedAt: utc(2126, 9, 15)).count == 300)
    }

    @Test("a data time of midnight is a date: on a TARGET day it stands for that day's fix")
    func dates() {
        let calendar = PublicationCalendar.ecb
        #expect(calendar.fix(at: utc(2026, 9, 15)) == tuesday)
        #expect(calendar.fix(at: utc(2026, 9, 15) + .milliseconds(1)) == utc(2026, 9, 15) + .milliseconds(1))
        #expect(calendar.fix(at: utc(2026, 1, 15)) == utc(2026, 1, 15, 15))
        #expect(calendar.fix(at: utc(2026, 9, 13)) == utc(2026, 9, 13))
        let policy = TierPolicy()
        let entry = SymbolRate.sample("CZK", .ecbDaily, at: utc(2026, 9, 15))
        let snapshot = SampleSnapshot(symbols: [entry]).made()
        #expect(policy.freshUntil(of: entry, in: snapshot) == utc(2026, 9, 16, 14, 30))
        #expect(
            policy.leastInterval(for: snapshot.table, now: utc(2026, 9, 15, 15)) == .seconds(23 * 3_600))
    }

    @Test(
        "a fix that is held back is polled for like one that hasn't come, so that it is confirmed in minutes")
    func heldBack() {
        let policy = TierPolicy()
        let heldBack = QuarantinedRate(
            first: .one, rate: .one, effectiveAt: nil, confirmations: 0, since: tuesday,
            keptUntil: tuesday + .seconds(345_600))
        let old = SymbolRate(
            currency: .sample("TRY"), rate: .one, source: .ecbDaily,
            effectiveAt: Timestamp(text: "", instant: monday), kept: .quarantine, quarantined: heldBack)
        let fix = SymbolRate.sample("CZK", .ecbDaily, at: tuesday)
        let table = SampleSnapshot(source: .ecbDaily, dataTime: tuesday, symbols: [fix, old]).table
        let now = tuesday + .seconds(420)
        #expect(policy.leastInterval(for: table, now: now) == .seconds(300))
        #expect(policy.leastInterval(for: table, now: tuesday + .seconds(4 * 3_600)) == .seconds(3_600))
        #expect(policy.newestFix(of: table) == tuesday)
        let calm = SampleSnapshot(source: .ecbDaily, dataTime: tuesday, symbols: [fix]).table
        #expect(policy.leastInterval(for: calm, now: now) == .seconds(86_400 - 420))
    }
}
