import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: a pause of upstream calls is told", .timeLimit(.minutes(3)))
struct RefreshPauseTests {
    @Test("by one line when it begins and one when it ends, by each instance")
    func lines() async {
        await RefreshBench.with { bench in
            let one = await bench.warm("a")
            let other = await bench.warm("b")
            bench.time.advance(by: .seconds(2))
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(60), reason: "rate_limited")))
            await one.want(.currencies)
            for _ in 0..<5 {
                bench.time.advance(by: .seconds(10))
                for instance in [one, other] { await instance.turn() }
            }
            for instance in [one, other] {
                #expect(instance.logged("upstream calls pause") == 1)
                #expect(instance.logged("rate_limited") == 1)
                #expect(instance.logged("upstream calls go on") == 0)
            }
            bench.time.advance(by: .seconds(30))
            for instance in [one, other] {
                await instance.turn()
                #expect(instance.logged("upstream calls pause") == 1)
                #expect(instance.logged("upstream calls go on") == 1)
            }
        }
    }
}
