import TestSupport
import Testing

@testable import CacheLayer

/// What keeps the list back where nobody holds one.
@Suite("Refresh: no list is held", .timeLimit(.minutes(4)))
struct RefreshListPauseTests {
    private let list = Resource.currencies

    private func calls(_ bench: RefreshBench) -> Int {
        bench.upstream.orders.count { $0.resource == list }
    }

    private func ready(_ bench: RefreshBench, _ name: String = "a") async -> RefreshInstance {
        let instance = await bench.warm(name)
        bench.time.advance(by: .seconds(2))
        return instance
    }

    /// How long clients that ask every minute go without it; nil if longer than a day.
    private func wait(for one: RefreshInstance, on bench: RefreshBench) async -> Duration? {
        let start = bench.time.elapsed
        for _ in 0..<1_440 {
            bench.time.advance(by: .seconds(60))
            await one.want(list)
            if await one.held(list) != nil { return bench.time.elapsed - start }
        }
        return nil
    }

    @Test(
        "a pause by upstream, for calls or with its 503, keeps it back for an hour and not for a day",
        arguments: [("rate_limited", 60), ("unavailable", 900), ("unavailable", 3_600)])
    func limited(reason: String, pause: Int64) async {
        await RefreshBench.with { bench in
            let one = await ready(bench)
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(pause), reason: reason)))
            await one.want(list)
            bench.time.advance(by: .seconds(pause + 1))
            await one.want(list)
            let condition = await one.condition(list)
            let until = condition.until.map { $0 - bench.time.wall } ?? .zero
            #expect(until <= .seconds(3_600), "\(condition)")
            if await one.held(list) == nil {
                let waited = await wait(for: one, on: bench)
                #expect(waited.map { $0 <= .seconds(3_660) } == true, "\(String(describing: waited))")
            }
            #expect(calls(bench) == 2)
        }
    }

    @Test("one that is refused to the key comes with another key at once, otherwise after an hour")
    func refused() async {
        for hasNewKey in [true, false] {
            await RefreshBench.with { bench in
                let one = await ready(bench)
                bench.upstream.next(.outcome(.forbidden))
                await one.want(list)
                #expect(await one.condition(list) == .forbidden(until: bench.time.wall + .seconds(3_600)))
                bench.time.advance(by: .seconds(2))
                if hasNewKey { await one.refresher.use(KeyMark(stored: "second")) }
                await one.want(list)
                #expect(calls(bench) == (hasNewKey ? 2 : 1))
                if !hasNewKey {
                    let waited = await wait(for: one, on: bench)
                    #expect(waited.map { $0 <= .seconds(3_660) } == true, "\(String(describing: waited))")
                }
                #expect(await one.held(list) != nil)
            }
        }
    }

    @Test("one whose body is lost while nobody has it in memory comes again within an hour")
    func lostBody() async {
        await RefreshBench.with { bench in
            let first = await ready(bench)
            await first.want(list)
            #expect(await first.held(list) != nil)
            bench.change { state in state.shelf.remove(list) }
            let second = await bench.opened("b")
            let waited = await wait(for: second, on: bench)
            #expect(waited.map { $0 <= .seconds(3_660) } == true, "\(String(describing: waited))")
            #expect(calls(bench) == 2)
        }
    }

    @Test("one that is held is asked for once a day, however it was fetched")
    func held() async {
        await RefreshBench.with { bench in
            let one = await ready(bench)
            await one.want(list)
            let first = await one.held(list)
            for _ in 0..<86_300 / 100 {
                bench.time.advance(by: .seconds(100))
                await one.want(list, .stale)
            }
            #expect(first?.interval == .seconds(3_600) && calls(bench) == 1)
            bench.time.advance(by: .seconds(200))
            await one.want(list, .stale)
            #expect(calls(bench) == 2)
            #expect(await one.held(list)?.interval == .seconds(86_400))
        }
    }
}
