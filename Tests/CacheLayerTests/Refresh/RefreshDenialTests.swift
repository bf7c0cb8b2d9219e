import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: access denied", .timeLimit(.minutes(2)))
struct RefreshDenialTests {
    private let usd = RefreshBench.usd

    @Test(
        "one denial is a failed fetch: the rates are asked for again after five seconds",
        arguments: UpstreamVerdict.Denial.allCases)
    func once(denial: UpstreamVerdict.Denial) async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.time.advance(by: .seconds(61))
            bench.upstream.next(.outcome(.denied(denial)))
            await one.want(usd, .stale)
            await one.hearAll()
            #expect(await one.condition() == .failing(until: bench.time.wall + .seconds(5)))
            #expect(bench.control { $0?.cooldowns.isEmpty } == true)
            #expect(bench.control { $0?.refusals.isEmpty } == true)
            bench.time.advance(by: .milliseconds(4_999))
            await one.turn()
            #expect(bench.upstream.calls == 2)
            bench.time.advance(by: .milliseconds(1))
            await one.turn()
            #expect(bench.upstream.calls == 3)
            #expect(await one.condition() == .idle)
        }
    }

    @Test("a second 401 in a row pauses all calls with the key for an hour")
    func twice() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.always(.outcome(.denied(.unauthorized)))
            await one.want()
            bench.time.advance(by: .seconds(5))
            await one.turn()
            #expect(await one.condition() == .keyRejected(until: bench.time.wall + .seconds(3_600)))
            #expect(bench.control { $0?.cooldowns[.key]?.reason } == "key_rejected")
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("an answer between two 401 shows that the key is good")
    func answerBetween() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.denied(.unauthorized)), .table(), .outcome(.denied(.unauthorized)))
            await one.want()
            bench.time.advance(by: .seconds(5))
            await one.turn()
            bench.time.advance(by: .seconds(61))
            await one.want(usd, .stale)
            #expect(bench.upstream.calls == 3)
            #expect(await one.condition() == .failing(until: bench.time.wall + .seconds(5)))
        }
    }

    @Test(
        "six denials in a row, each further apart, pause all calls for an hour; the denied probe goes on with that"
    )
    func six() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.always(.outcome(.denied(.forbidden)))
            await one.want()
            for wait in [5, 10, 20, 40, 60] {
                bench.time.advance(by: .seconds(wait))
                await one.want()
                // The shared back-off's own twentieth on top.
                bench.time.advance(by: .seconds(4))
                await one.want()
            }
            #expect(bench.upstream.calls == 6)
            #expect(bench.control { $0?.cooldowns[.key]?.reason } == "access_denied")
            for _ in 0..<120 {
                bench.time.advance(by: .seconds(60))
                await one.want()
            }
            #expect((7...8).contains(bench.upstream.calls), "one probe an hour")
        }
    }
}
