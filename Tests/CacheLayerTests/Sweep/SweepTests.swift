import TestSupport
import Testing

/// What grows and what doesn't; `FXBench sweep` runs all sizes.
@Suite("What fleets of all sizes cost", .timeLimit(.minutes(4)))
struct SweepTests {
    private static func settings(_ instances: Int, _ clients: Int) -> SweepSettings {
        var settings = SweepSettings(instances: instances, clients: clients)
        settings.length = .seconds(180)
        return settings
    }

    @Test(
        "gateways call upstream once for each lifetime, however many instances and clients there are",
        arguments: [(1, 1), (1, 1_000), (8, 100), (16, 1_000)])
    func oneCall(instances: Int, clients: Int) async {
        let result = await SweepFleet.run(Self.settings(instances, clients))
        #expect(result.requests == clients * 180)
        #expect(result.waited == 0)
        // Three lifetimes; jitter makes an interval up to a twentieth shorter, and the bounds may fall on either side.
        #expect((2...4).contains(result.upstreamCalls), "\(result.upstreamCalls)")
        #expect(result.scripts.finishes == result.upstreamCalls)
    }

    @Test("Redis is asked by instances once a second and for refreshes, never for requests")
    func storeWork() async {
        let few = await SweepFleet.run(Self.settings(4, 10))
        let many = await SweepFleet.run(Self.settings(4, 10_000))
        #expect(few.scripts.looks >= 4 * 170 && few.scripts.looks <= 4 * 190, "\(few.scripts.looks)")
        // A thousand times the requests: no command more but for the odd refresh at a bound.
        #expect(abs(many.commands - few.commands) < 20, "\(many.commands), \(few.commands)")
        // Each publication reaches each instance.
        #expect(many.scripts.messages >= many.upstreamCalls * 4)
    }

    @Test("caches of their own cost a call for each instance, a shared one without lease up to as many")
    func plainCaches() {
        let own = PlainCache.own.run(Self.settings(8, 1_000))
        // A lifetime and 300 ms from fetch to fetch.
        #expect(own.upstreamCalls >= 8 * 2 && own.upstreamCalls <= 8 * 3)
        #expect(own.commands == 0)
        let shared = PlainCache.shared.run(Self.settings(8, 1_000))
        #expect(shared.upstreamCalls == own.upstreamCalls)
        #expect(shared.gets == shared.requests && shared.sets == shared.upstreamCalls)
        // Each request brings the table of some 1,970 bytes along.
        #expect((1_900...2_100).contains(shared.plainBytesOut / shared.requests))
        // With one client nobody meets anybody.
        #expect(PlainCache.shared.run(Self.settings(8, 1)).upstreamCalls <= 3)
        // Three ticks of a hundred requests each before the first fetch has landed.
        let unjoined = PlainCache.sharedUnjoined.run(Self.settings(8, 1_000))
        #expect(unjoined.upstreamCalls >= 2 * 300 && unjoined.upstreamCalls <= 3 * 300)
    }
}
