import TestSupport
import Testing

@testable import CacheLayer

/// A table of all classes from Friday to Monday, with the real refresher on clocks that jump from fetch to fetch.
@Suite("A weekend with mixed classes", .timeLimit(.minutes(3))) struct MixedWeekendTests {
    private static let fridaysFix = utc(2026, 9, 11, 14)
    private static let mondaysFix = utc(2026, 9, 14, 14)
    /// The New York close in summer time, and the Sunday's opening.
    private static let close = utc(2026, 9, 11, 21)
    private static let opening = utc(2026, 9, 13, 21)

    /// What upstream says at an instant: two live rates that move all weekend, one that rests from Friday's close until an
    /// hour and three quarters after the opening, two fixes, one weekly rate.
    private static func answer(_ order: FetchOrder) -> FetchOutcome {
        let now = order.storeNow()
        let isOpen = now < close || now >= opening
        let moving = (now + .seconds(-20)).rfc3339
        let awake = opening + .seconds(105 * 60)
        let resting = (now < close || now >= awake ? now + .seconds(-20) : close + .seconds(-30)).rfc3339
        let fix = (now >= mondaysFix + .seconds(120) ? mondaysFix : fridaysFix).rfc3339
        let fred = utc(2026, 9, 4, 16).rfc3339
        let body = """
            {"result":"success","base":"USD","source":"live","market_session":"\(isOpen ? "open" : "weekend")",
             "sources":{"EUR":"live","GBP":"live","CHF":"live","ISK":"ecb_daily","RON":"ecb_daily","TWD":"fred_daily"},
             "effective_at":{"EUR":"\(moving)","GBP":"\(moving)","CHF":"\(resting)","ISK":"\(fix)","RON":"\(fix)",
             "TWD":"\(fred)"},
             "data_updated_at":"\(moving)",
             "rates":{"EUR":0.85214,"GBP":0.73907,"CHF":0.79541,"ISK":122.38,"RON":4.3127,"TWD":30.214}}
            """
        do throws(IngestError) {
            let ingested = try Ingest.table(
                from: Array(body.utf8), status: 200, contentType: "application/json",
                expecting: .sample("USD"), held: order.held, storeNow: now, interval: order.interval,
                band: .standard)
            return .answered(ingested, .none)
        } catch {
            return .failed(reason: error.reason)
        }
    }

    private static let moments: [(name: String, instant: UnixMilliseconds)] = [
        ("Friday 20:30", utc(2026, 9, 11, 20, 30)), ("Friday 22:30", utc(2026, 9, 11, 22, 30)),
        ("Saturday 12:00", utc(2026, 9, 12, 12)), ("Sunday 22:30", utc(2026, 9, 13, 22, 30)),
        ("Sunday 23:00", utc(2026, 9, 13, 23)), ("Monday 14:29", utc(2026, 9, 14, 14, 29)),
    ]

    @Test("each symbol has its own state at each hour of the weekend, and the page shows which")
    func weekend() async throws {
        var rows: [[String]] = []
        try await RefreshBench.with(
            at: utc(2026, 9, 11, 20), plan: QuotaPlan(monthly: 10_000, perMinute: 12)
        ) { bench in
            bench.upstream.always(.answer { Self.answer($0) })
            let instance = await bench.opened()
            for moment in Self.moments {
                try await live(to: moment.instant, instance, bench)
                let snapshot = try #require(await instance.held())
                rows.append([moment.name] + Self.states(snapshot, at: moment.instant))
            }
            // Live rates are asked for at the pace of the plan all weekend.
            let calls = bench.upstream.instants
            let gaps = zip(calls, calls.dropFirst())
            #expect(gaps.allSatisfy { $1 - $0 < .seconds(300) })
        }
        #expect(rows.count == Self.moments.count)
        let table =
            [
                "| UTC | session | EUR, GBP (live) | CHF (live, rests) | ISK, RON (`ecb_daily`) | TWD (`fred_daily`) |",
                "| --- | --- | --- | --- | --- | --- |",
            ] + rows.map { "| \($0.joined(separator: " | ")) |" }
        let shown = try DocumentedTable.lines(under: "## A weekend with mixed classes", of: "ingest.md")
        #expect(shown == table, "the table is:\n\(table.joined(separator: "\n"))")
        // And what must be in it, whatever the page says.
        #expect(rows.allSatisfy { $0[2] == "fresh" && $0[5] == "fresh" })
        #expect(rows.map { $0[3] } == ["fresh", "fresh", "fresh", "stale: source_stalled", "fresh", "fresh"])
        #expect(rows.allSatisfy { $0[4] == "fresh" })
    }

    private func live(to end: UnixMilliseconds, _ instance: RefreshInstance, _ bench: RefreshBench)
        async throws
    {
        while bench.time.wall < end {
            await instance.want(RefreshBench.usd, .asked)
            let due = try #require(await instance.due())
            bench.time.advance(by: min(max(due, .milliseconds(1)), end - bench.time.wall))
        }
        await instance.want(RefreshBench.usd, .asked)
    }

    /// The session, then the states of the four groups; symbols of one group stand alike.
    private static func states(_ snapshot: RateSnapshot, at now: UnixMilliseconds) -> [String] {
        let groups = [["EUR", "GBP"], ["CHF"], ["ISK", "RON"], ["TWD"]]
        return [snapshot.table.marketSession ?? "none"]
            + groups.map { codes in
                let words = codes.map { code in
                    let standing = EntryStanding(
                        of: snapshot.table.entry(of: .sample(code)), in: snapshot,
                        age: now - snapshot.fetchedAt, policy: TierPolicy())
                    let reason = standing.ownReason.map { ": \($0.rawValue)" } ?? ""
                    return standing.state.name + reason
                }
                return Set(words).sorted().joined(separator: " / ")
            }
    }
}
