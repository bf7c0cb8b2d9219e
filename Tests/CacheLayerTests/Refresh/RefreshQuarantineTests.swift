import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("A fleet with rates that jumped") struct RefreshQuarantineTests {
    private let usd = RefreshBench.usd

    /// An answer with these rates, let in by what the fetching instance holds.
    private static func rates(_ rates: String) -> ScriptedUpstream.Step {
        .answer { order in
            let time = order.storeNow().rfc3339
            let body =
                #"{"result":"success","base":"USD","source":"live","data_updated_at":"\#(time)","rates":\#(rates)}"#
            do throws(IngestError) {
                let ingested = try Ingest.table(
                    from: Array(body.utf8), status: 200, contentType: nil, expecting: .sample("USD"),
                    held: order.held, storeNow: order.storeNow(), interval: order.interval, band: .standard)
                return .answered(ingested, .none)
            } catch {
                return .failed(reason: error.reason)
            }
        }
    }

    private func fetch(_ rates: String, by instance: RefreshInstance, on bench: RefreshBench) async {
        bench.time.advance(by: .seconds(61))
        bench.upstream.next(Self.rates(rates))
        await instance.want(usd, .stale)
    }

    private func euro(_ instance: RefreshInstance) async -> String? {
        let entry = await instance.held()?.table.entry(of: .sample("EUR"))
        return entry.map { "\($0.rate.text)\($0.kept == nil ? "" : " kept")" }
    }

    @Test("another instance's fetch confirms what the first one saw: the count travels in the snapshot")
    func confirmedByOthers() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let two = await bench.opened("b")
            let three = await bench.opened("c")
            await fetch(#"{"EUR":0.86,"GBP":0.74}"#, by: one, on: bench)
            await fetch(#"{"EUR":8.6,"GBP":0.75}"#, by: two, on: bench)
            #expect(await euro(two) == "0.86 kept")
            await fetch(#"{"EUR":8.7,"GBP":0.76}"#, by: three, on: bench)
            #expect(await euro(three) == "0.86 kept")
            await fetch(#"{"EUR":8.8,"GBP":0.77}"#, by: one, on: bench)
            #expect(await euro(one) == "8.8")
            for instance in [two, three] {
                await instance.hearAll()
                #expect(await euro(instance) == "8.8")
                #expect(await instance.held()?.id == one.held()?.id)
            }
            #expect(bench.upstream.calls == 4)
        }
    }

    @Test("an operator's word holds for the whole fleet at once, costs no call and makes nothing younger")
    func accepted() async throws {
        try await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let two = await bench.opened("b")
            await fetch(#"{"EUR":0.86,"GBP":0.74}"#, by: one, on: bench)
            await fetch(#"{"EUR":8.6,"GBP":0.75}"#, by: one, on: bench)
            let held = try #require(await one.held())
            let used = bench.control { $0?.ledger.counted }
            bench.time.advance(by: .seconds(20))
            // Asked of the other instance, which hasn't even heard of the jump.
            let answer = await two.refresher.accept(
                .symbol(base: .sample("USD"), .sample("EUR")), limit: .seconds(5))
            guard case .accepted(let symbols, let id) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(symbols == [.sample("EUR")])
            let taken = try #require(await two.held())
            #expect(taken.id == id && id != held.id)
            #expect(taken.fetchedAt == held.fetchedAt && taken.interval == held.interval)
            #expect(taken.token > held.token)
            #expect(await euro(two) == "8.6")
            await one.hearAll()
            #expect(await euro(one) == "8.6")
            #expect(await one.held()?.id == id)
            #expect(bench.upstream.calls == 2)
            #expect(bench.control { $0?.ledger.counted } == used)
            #expect(two.logged("an operator has accepted values that were held back") == 1)
            #expect(two.refresher.counters.acceptedByOperator.value == 1)
            // The next fetch is due as it was, and measured from the accepted value.
            #expect(await one.due() == .seconds(40))
            await fetch(#"{"EUR":8.7,"GBP":0.75}"#, by: one, on: bench)
            #expect(await euro(one) == "8.7")
        }
    }

    @Test("a snapshot's id accepts all that is held back in it, and nothing once there is a newer one")
    func wholeSnapshot() async throws {
        try await RefreshBench.with { bench in
            let one = await bench.opened("a")
            await fetch(#"{"EUR":0.86,"GBP":0.74,"JPY":150}"#, by: one, on: bench)
            await fetch(#"{"EUR":8.6,"GBP":7.4,"JPY":151}"#, by: one, on: bench)
            let first = try #require(await one.held())
            await fetch(#"{"EUR":9,"GBP":7.5,"JPY":152}"#, by: one, on: bench)
            let second = try #require(await one.held())
            #expect(second.table.quarantined == [.sample("EUR"), .sample("GBP")])
            #expect(await one.refresher.accept(.snapshot(first.id), limit: .seconds(5)) == .nothing)
            let answer = await one.refresher.accept(.snapshot(second.id), limit: .seconds(5))
            guard case .accepted([.sample("EUR"), .sample("GBP")], _) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(await euro(one) == "9")
            #expect(await one.refresher.accept(.snapshot(second.id), limit: .seconds(5)) == .nothing)
        }
    }

    @Test("what isn't held back, or isn't a table, is nothing to accept; without the store nothing changes")
    func nothing() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            await fetch(#"{"EUR":0.86,"GBP":0.74}"#, by: one, on: bench)
            for (base, symbol) in [("USD", "EUR"), ("USD", "XAU"), ("EUR", "USD"), ("USD", "USD")] {
                let answer = await one.refresher.accept(
                    .symbol(base: .sample(base), .sample(symbol)), limit: .seconds(5))
                #expect(answer == .nothing, "\(base)-\(symbol)")
            }
            await fetch(#"{"EUR":8.6,"GBP":0.74}"#, by: one, on: bench)
            one.store.isAway(true)
            let target = QuarantineTarget.symbol(base: .sample("USD"), .sample("EUR"))
            #expect(await one.refresher.accept(target, limit: .seconds(5)) == .storeAway)
            #expect(await euro(one) == "0.86 kept")
            one.store.isAway(false)
            // A store that has lost its control learns first what is remembered.
            bench.flush()
            guard case .accepted = await one.refresher.accept(target, limit: .seconds(5)) else {
                Issue.record("not accepted after a loss")
                return
            }
            #expect(await euro(one) == "8.6")
        }
    }

    @Test("while somebody fetches, an operator waits, and accepts what that brings; at most so long")
    func duringFetch() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let two = await bench.opened("b")
            await fetch(#"{"EUR":0.86,"GBP":0.74}"#, by: one, on: bench)
            await fetch(#"{"EUR":8.6,"GBP":0.74}"#, by: one, on: bench)
            bench.time.advance(by: .seconds(61))
            bench.upstream.next(.after(.seconds(2), Self.rates(#"{"EUR":8.9,"GBP":0.74}"#)))
            await one.begin(usd, .stale)
            await bench.calm()
            let target = QuarantineTarget.symbol(base: .sample("USD"), .sample("EUR"))
            let asking = Task { await two.refresher.accept(target, limit: .seconds(5)) }
            await bench.pass(.seconds(3))
            guard case .accepted = await asking.value else {
                Issue.record("not accepted")
                return
            }
            #expect(await euro(two) == "8.9")
            bench.time.advance(by: .seconds(61))
            bench.upstream.next(Self.rates(#"{"EUR":0.9,"GBP":0.74}"#))
            await one.want(usd, .stale)
            bench.time.advance(by: .seconds(61))
            bench.upstream.next(.after(.seconds(9), Self.rates(#"{"EUR":0.9,"GBP":0.74}"#)))
            await one.begin(usd, .stale)
            await bench.calm()
            let late = Task { await two.refresher.accept(target, limit: .seconds(5)) }
            await bench.pass(.seconds(6))
            #expect(await late.value == .busy)
            await one.landed(within: .seconds(10))
        }
    }

    @Test("a missing publication is told and counted once by every instance that takes the answer over")
    func missed() async {
        // Tuesday, 14 minutes before the publication.
        await RefreshBench.with(at: utc(2026, 3, 10, 14, 46)) { bench in
            let monday = utc(2026, 3, 9, 15)
            bench.upstream.always(.table(.ecbDaily, dataTime: monday))
            let one = await bench.opened("a")
            let two = await bench.opened("b")
            await one.want()
            for _ in 0..<30 {
                bench.time.advance(by: .seconds(300))
                await one.want(usd, .asked)
                await two.hearAll()
                await two.want(usd, .asked)
            }
            for instance in [one, two] {
                #expect(await instance.refresher.publications[usd]?.missed == 1)
                #expect(instance.refresher.board.status.missedPublications == [usd: 1])
                #expect(instance.logged("a publication is missing") == 1)
            }
        }
    }
}
