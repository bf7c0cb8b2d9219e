import CacheLayer
import Telemetry
import TestSupport
import Testing

@testable import FXGateway

@Suite("Event streams that come back", .timeLimit(.minutes(3)))
struct StreamResumeTests {
    /// What a client that names `id` is told at once; `isQuiet` then waits for what must not come.
    private func resumed(
        _ rig: GatewayRig, _ id: String, _ query: String = "", isQuiet: Bool = false, count: Int = 1
    ) throws -> [EventStreamReader.Event] {
        let listener = try StreamListener(rig, "/v1/stream" + query, fields: ["Last-Event-ID: \(id)"])
        let events = listener.events(count)
        return isQuiet ? listener.quiet().events : events
    }

    private func id(at second: Int64) -> String {
        SampleTable.snapshot(SampleTable.usd, fetchedAt: SampleTable.fetchedAt + .seconds(second)).id.text
    }

    @Test("are told all that came since, in order and as old as it is, and go on from there")
    func known() async throws {
        try await GatewayRig.run { rig in
            var ids: [String] = []
            for second in [0, 60, 120, 180] { ids.append(await rig.publish(at: second)) }
            let listener = try StreamListener(
                rig, "/v1/stream?symbols=EUR", fields: ["Last-Event-ID: \(ids[0])"])
            #expect(listener.events(3).map(\.id) == Array(ids[1...]))
            #expect(listener.reading.events.map(\.state) == ["stale", "fresh", "fresh"])
            #expect(listener.reading.events.allSatisfy { !$0.isGap })
            ids.append(await rig.publish(at: 181))
            #expect(listener.events(4).map(\.id) == Array(ids[1...]))
            #expect(rig.streams.resumed.value == 1 && rig.streams.gaps.value == 0)
        }
    }

    @Test("and have missed nothing are told nothing until something comes")
    func newest() async throws {
        try await GatewayRig.run { rig in
            let ids = [await rig.publish(at: 0), await rig.publish(at: 1)]
            let listener = try StreamListener(rig, fields: ["Last-Event-ID: \(ids[1])"])
            #expect(listener.begin().status == 200)
            #expect(listener.quiet().events.isEmpty)
            let next = await rig.publish(at: 2)
            #expect(listener.events(1).map(\.id) == [next])
        }
    }

    @Test("too late, or with an id that is none, get the table of now, marked as behind a gap")
    func gaps() async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 60)
            let newest = await rig.publish(at: 61)
            for id in [id(at: 59), "17", "01J0F3ZK7Q-7f3a9c2", "%"] {
                let events = try resumed(rig, id)
                #expect(events.map(\.id) == [newest] && events.allSatisfy(\.isGap), "\(id)")
            }
            #expect(rig.streams.gaps.value == 4)
            // Begins anew: an empty field is what a browser has that has seen none.
            #expect(try resumed(rig, "").map(\.isGap) == [false])
        }
    }

    @Test("are told how refreshing stands now, and leave nothing else behind for those who begin")
    func presentReason() async throws {
        let cooling = RefreshCondition.cooldown(until: SampleTable.fetchedAt + .seconds(900))
        try await GatewayRig.run { rig in
            let first = await rig.publish(at: 0)
            await rig.publish(at: 60)
            await rig.hold(
                SampleTable.usd, condition: cooling, token: 61,
                fetchedAt: SampleTable.fetchedAt + .seconds(60))
            rig.time.advance(by: .seconds(100))
            let again = try resumed(rig, first)
            #expect(again.map(\.state) == ["stale"])
            #expect(again[0].data.contains(#""reason":"cooldown""#), "\(again[0].data)")
            let new = try StreamListener(rig).events(1)
            #expect(new[0].data.contains(#""reason":"cooldown""#), "\(new[0].data)")
        }
    }

    @Test("with an id of a time that nobody has seen yet are behind a gap")
    func future() async throws {
        try await GatewayRig.run { rig in
            let newest = await rig.publish(at: 0)
            let events = try resumed(rig, "7ZZZZZZZZZ-00000000")
            #expect(events.map(\.id) == [newest] && events.allSatisfy(\.isGap))
        }
    }

    @Test("from a peer that was first are not told again what they know")
    func ahead() async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            let listener = try StreamListener(rig, fields: ["Last-Event-ID: \(id(at: 1))"])
            #expect(listener.begin().status == 200)
            #expect(listener.quiet().events.isEmpty)
            await rig.publish(at: 1)
            let next = await rig.publish(at: 2)
            #expect(listener.events(1).map(\.id) == [next])
        }
    }

    @Test("may say so in the query, which the field goes before: a browser asks its first address again")
    func query() async throws {
        try await GatewayRig.run { rig in
            let ids = [await rig.publish(at: 0), await rig.publish(at: 1), await rig.publish(at: 2)]
            let target = "/v1/stream?last_event_id=\(ids[0])"
            #expect(try StreamListener(rig, target).events(2).map(\.id) == Array(ids[1...]))
            let newer = try StreamListener(rig, target, fields: ["Last-Event-ID: \(ids[1])"])
            #expect(newer.events(1).map(\.id) == [ids[2]])
            #expect(newer.quiet().events.count == 1)
        }
    }

    @Test("are told nothing of what an operator has dropped meanwhile")
    func purged() async throws {
        try await GatewayRig.run { rig in
            let first = await rig.publish(at: 0)
            await rig.publish(at: 1)
            await rig.show(.latest(base: .usd), .empty)
            let next = await rig.publish(at: 2)
            let events = try resumed(rig, first)
            #expect(events.map(\.id) == [next] && events[0].isGap)
        }
    }

    @Test("are told nothing that is too old to be served, and that something is missing there")
    func expired() async throws {
        try await GatewayRig.run { rig in
            let ids = [await rig.publish(at: 0), await rig.publish(at: 1), await rig.publish(at: 900)]
            rig.time.advance(by: .seconds(71))
            // Live rates fetched at 1 s are served until 70 s + 15 min later: from 971 s on they are not.
            let events = try resumed(rig, ids[0], "?symbols=EUR", isQuiet: true)
            #expect(events.map(\.id) == [ids[2]] && events[0].isGap)
        }
        try await GatewayRig.run { rig in
            let ids = [await rig.publish(at: 0), await rig.publish(at: 1), await rig.publish(at: 900)]
            rig.time.advance(by: .seconds(70))
            let events = try resumed(rig, ids[0], "?symbols=EUR", isQuiet: true, count: 2)
            #expect(events.map(\.id) == Array(ids[1...]) && events.allSatisfy { !$0.isGap })
        }
    }

    @Test("are told at most 64 KiB at once: the newest, behind a gap")
    func bytes() async throws {
        let codes = (0..<300).map { "C\(String(1_000 + $0, radix: 36))" }
        let large = SampleTable.table("USD", codes.map { SampleTable.live($0, "1.234567") })
        try await GatewayRig.run { rig in
            var ids: [String] = []
            for second in 0..<8 { ids.append(await rig.publish(large, at: second)) }
            let events = try resumed(rig, ids[0], isQuiet: true)
            try #require(!events.isEmpty)
            #expect(events.map(\.id) == Array(ids.suffix(events.count)))
            #expect(events.map(\.isGap) == [true] + Array(repeating: false, count: events.count - 1))
            let bytes = events.reduce(0) { $0 + $1.data.utf8.count }
            #expect((40_000...65_536).contains(bytes), "\(bytes)")
        }
    }
}
