import EventLoop
import TestSupport
import Testing

@testable import CacheLayer

/// A refresher through the whole of 2026 with nothing but the ECB's daily fixes, on clocks that jump from one event to the
/// next.
@Suite("A year of daily fixes", .timeLimit(.minutes(4))) struct YearOfFixesTests {
    private static let seed: UInt64 = 2_026

    /// What one day of 2026 was like.
    private struct Day {
        var calls: [UnixMilliseconds] = []
        /// From upstream's release to the adoption; nil on a day without a publication.
        var wait: Duration?
        var isPublicationDay = false
        var isLate = false
        /// What jumped beyond the band, and when all of it had been let in.
        var heldBack: Set<Currency> = []
        var settled: UnixMilliseconds?
    }

    @Test(
        "every fix is here within ten minutes of its release, no call is made on a closed day, late ones are told"
    )
    func year() async throws {
        var random = SeededNumbers(seed: Self.seed)
        // Mostly within a few minutes, one in twelve late enough to be called so.
        let fixes = ReleasedFixes(from: .day(2025, 12, 30), to: .day(2026, 12, 31)) { _ in
            Int.random(in: 0..<12, using: &random) == 0
                ? Int.random(in: 31...50, using: &random) : Int.random(in: -8...20, using: &random)
        }
        var days: [CivilDate: Day] = [:]
        try await RefreshBench.with(
            at: utc(2025, 12, 31, 12), plan: QuotaPlan(monthly: 10_000, perMinute: 12)
        ) { bench in
            bench.upstream.always(.answer { fixes.answer($0) })
            let jitter = Locked(SeededNumbers(seed: Self.seed))
            let instance = await bench.opened(
                "a", random: { bound in jitter.withLock { .random(in: 0..<max(1, bound), using: &$0) } })
            try await live(to: utc(2027, 1, 1), instance, bench, fixes, &days)
        }
        try check(days, fixes)
        let shown = try DocumentedTable.lines(under: "## A year of daily fixes", of: "ingest.md")
        let table = Self.table(days)
        #expect(shown == table, "the table is:\n\(table.joined(separator: "\n"))")
    }

    /// Goes from event to event: the next fetch, the next noon.
    private func live(
        to end: UnixMilliseconds, _ instance: RefreshInstance, _ bench: RefreshBench, _ fixes: ReleasedFixes,
        _ days: inout [CivilDate: Day]
    ) async throws {
        var (calls, missed, held) = (0, Int64(0), UnixMilliseconds(0))
        while bench.time.wall < end {
            await instance.want(RefreshBench.eur, .asked)
            let now = bench.time.wall
            if bench.upstream.calls > calls {
                calls = bench.upstream.calls
                days[now.date, default: Day()].calls.append(now)
            }
            let snapshot = try #require(await instance.held(RefreshBench.eur))
            note(snapshot.table.quarantined, at: now, &days)
            if snapshot.table.dataTime.instant > held {
                held = snapshot.table.dataTime.instant
                let release = try #require(fixes.releases.first { $0.due == held })
                days[held.date, default: Day()].isPublicationDay = true
                days[held.date]?.wait = now - max(release.shown, release.due)
            }
            let count = await instance.refresher.publications[RefreshBench.eur]?.missed ?? 0
            if count > missed {
                #expect(count == missed + 1)
                days[now.date]?.isLate = true
                missed = count
            }
            expectLabel(snapshot, at: now)
            let noon = UnixMilliseconds(now.date, secondOfDay: 43_200)
            let stop = noon > now ? noon : noon + .seconds(86_400)
            let due = try #require(await instance.due(RefreshBench.eur))
            bench.time.advance(by: min(stop - now, max(due, .milliseconds(1))))
        }
    }

    private func note(_ heldBack: [Currency], at now: UnixMilliseconds, _ days: inout [CivilDate: Day]) {
        guard heldBack.isEmpty else {
            days[now.date]?.heldBack.formUnion(heldBack)
            return
        }
        if days[now.date]?.heldBack.isEmpty == false, days[now.date]?.settled == nil {
            days[now.date]?.settled = now
        }
    }

    /// Fresh until 30 minutes after the next publication by the simulator's calendar, then late, to the millisecond.
    private func expectLabel(_ snapshot: RateSnapshot, at now: UnixMilliseconds) {
        let standing = EntryStanding(
            of: snapshot.table.symbols[0], in: snapshot, age: now - snapshot.fetchedAt, policy: TierPolicy())
        let next = ReleasedFixes.due(after: snapshot.table.dataTime.instant)
        #expect(standing.state == (now < next + .seconds(1_800) ? .fresh : .late), "\(now.rfc3339)")
    }

    private func check(_ days: [CivilDate: Day], _ fixes: ReleasedFixes) throws {
        let start = CivilDate.day(2026, 1, 1).daysSince1970
        var publications = 0
        for number in start..<(start + 365) {
            let date = CivilDate(daysSince1970: number)
            let day = days[date] ?? Day()
            guard let release = fixes.releases.first(where: { $0.due.date == date }) else {
                #expect(day.calls.isEmpty && !day.isLate, "\(date) is a closed day")
                continue
            }
            publications += 1
            let wait = try #require(day.wait, "nothing came on \(date)")
            #expect(wait >= .zero && wait <= .seconds(600), "\(date): \(wait)")
            // At the first poll, and never before the hour: the zone's rules on both sides of each change.
            let first = try #require(day.calls.first)
            #expect(first >= release.due && first < release.due + .seconds(10), "\(date)")
            // The euro rose by 10.7 % against the real over that weekend: two polls confirm it.
            let jumped: Set<Currency> = date == .day(2026, 10, 26) ? [.sample("BRL")] : []
            #expect(day.heldBack == jumped, "\(date)")
            if !jumped.isEmpty {
                let settled = try #require(day.settled)
                #expect(settled - release.due - wait < .seconds(1_800))
            }
            #expect(day.isLate == (release.shown - release.due > .seconds(1_800)), "\(date)")
        }
        #expect(publications == 256)
        for (date, hour) in [((3, 27), 15), ((3, 30), 14), ((10, 23), 14), ((10, 26), 15)] {
            let day = CivilDate.day(2026, date.0, date.1)
            #expect(days[day]?.calls.first.map { $0.secondOfDay / 3_600 } == hour)
        }
    }

    private static func table(_ days: [CivilDate: Day]) -> [String] {
        var lines = [
            "| month | days | fixes | calls | most in a day | late | held back | longest wait |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        func row(_ name: String, _ length: Int, _ days: [Day]) -> String {
            let calls = days.map(\.calls.count)
            let wait = days.compactMap(\.wait).max() ?? .zero
            let cells = [
                name, String(length), String(days.count { $0.isPublicationDay }),
                String(calls.reduce(0, +)), String(calls.max() ?? 0), String(days.count { $0.isLate }),
                String(days.reduce(0) { $0 + $1.heldBack.count }),
                "\(wait.components.seconds) s",
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        let all = days.filter { $0.key.year == 2026 }
        for month in 1...12 {
            let next = month == 12 ? CivilDate.day(2027, 1, 1) : CivilDate.day(2026, month + 1, 1)
            let length = next.daysSince1970 - CivilDate.day(2026, month, 1).daysSince1970
            let name = "2026-\(month < 10 ? "0" : "")\(month)"
            lines.append(row(name, length, all.filter { $0.key.month == month }.map(\.value)))
        }
        return lines + [row("the year", 365, all.map(\.value))]
    }
}

extension CivilDate {
    /// A day that a test knows to be one.
    static func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
        utc(year, month, day).date
    }
}
