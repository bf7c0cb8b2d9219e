import CacheLayer
import EventLoop
import HTTPEngine
import Telemetry
import TestSupport
import Testing

@testable import FXGateway

@Suite("The life of an event stream", .timeLimit(.minutes(3)))
struct StreamLifeTests {
    @Test("has a comment every fifteen seconds of the measuring clock")
    func heartbeats() async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            let listener = try StreamListener(rig)
            listener.events(1)
            rig.time.advance(by: .milliseconds(14_999))
            #expect(listener.quiet().comments == 0)
            rig.time.advance(by: .milliseconds(1))
            _ = listener.client.read { EventStreamReader($0).comments > 0 }
            #expect(listener.quiet().comments == 1)
            rig.time.advance(by: .seconds(15))
            _ = listener.client.read { EventStreamReader($0).comments > 1 }
            #expect(listener.quiet().comments == 2)
            #expect(listener.reading.events.count == 1)
        }
    }

    @Test("is a use of its base all along, on its client's account")
    func demand() async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            let listener = try StreamListener(
                rig, "/v1/stream?base=EUR", fields: ["X-Client-Name: board"])
            listener.events(1)
            #expect(rig.demands == [.asked] && rig.users == ["board"])
            rig.time.advance(by: .seconds(45))
            _ = listener.client.read { EventStreamReader($0).comments == 1 }
            #expect(rig.demands == [.asked] && rig.users == ["board"])
            // Beyond the lifetime of 70 s it wants a refresh, too.
            rig.time.advance(by: .seconds(30))
            _ = listener.client.read { EventStreamReader($0).comments == 2 }
            #expect(await eventually(within: .seconds(2)) { rig.demands == [.asked, .stale] })
            #expect(rig.users == ["board", "board"])
            #expect(rig.counts(of: "board").requests == 1)
            #expect(Set(rig.wants.map(\.resource)) == [.latest(base: .usd)])
        }
    }

    @Test("takes one of a bounded number of places, which is free again when it has ended")
    func places() async throws {
        try await GatewayRig.run(loops: 2, streamLimit: 2) { rig in
            await rig.publish(at: 0)
            let first = try StreamListener(rig)
            let second = try StreamListener(rig)
            #expect(first.events(1).count == 1 && second.events(1).count == 1)
            let refused = try rig.ask("/v1/stream")
            #expect(refused.status == 503 && refused.text.contains("overloaded"))
            let wait = refused.field("retry-after").flatMap { Int($0) }
            #expect((2...10).contains(wait ?? 0))
            #expect(try rig.ask("/v1/latest").status == 200)
            #expect(rig.streams.refused.value == 1)
            first.client.close()
            #expect(await eventually(within: .seconds(5)) { rig.streams.ends.value(.left) == 1 })
            let third = try StreamListener(rig)
            #expect(third.events(1).count == 1)
            #expect(try rig.ask("/v1/stream").status == 503)
            #expect(rig.streams.opened.value == 3)
            #expect(await rig.openStreams() == 2)
        }
    }

    @Test("whose token is taken away while they wait for the first table are refused when it comes")
    func revokedWhileWaiting() async throws {
        let entry = SampleClients.entry("reports", SampleClients.token)
        try await GatewayRig.run(clients: [entry]) { rig in
            let client = try rig.client()
            try client.send(
                GatewayRig.request(
                    "/v1/stream", fields: ["Authorization: Bearer \(SampleClients.token)"]))
            await rig.waiting(atLeast: 1)
            await rig.use([SampleClients.entry("reports", "another-token")])
            await rig.publish(at: 0)
            #expect(try client.answers(1).answers.first?.status == 403)
            #expect(await rig.openStreams() == 0)
        }
    }

    @Test("ends with its token, at once and with a word; those of others go on")
    func revoked() async throws {
        let reports = SampleClients.entry("reports", SampleClients.token, "second-token")
        let shop = SampleClients.entry("shop", SampleClients.other)
        try await GatewayRig.run(clients: [reports, shop]) { (rig) async throws -> Void in
            await rig.publish(at: 0)
            func listener(_ token: String) throws -> StreamListener {
                try StreamListener(rig, fields: ["Authorization: Bearer \(token)"])
            }
            let listeners = try [SampleClients.token, "second-token", SampleClients.other].map(listener)
            for listener in listeners { #expect(listener.events(1).count == 1) }
            #expect(try rig.ask("/v1/stream").status == 401)
            // One of a client's two tokens is gone, the other one stays.
            await rig.use([SampleClients.entry("reports", "second-token"), shop])
            let ended = listeners[0].end()
            #expect(ended.isWhole && ended.events.last?.name == "end")
            #expect(ended.events.last?.data == #"{"reason":"revoked"}"#)
            let next = await rig.publish(at: 1)
            for listener in listeners[1...] { #expect(listener.events(2).last?.id == next) }
            #expect(rig.streams.ends.value(.revoked) == 1)
            // Its connection is as good as any: what it asks now is refused like anybody's request.
            try listeners[0].client.send(
                GatewayRig.request("/v1/stream", fields: ["X-API-Key: \(SampleClients.token)"]))
            _ = listeners[0].client.read {
                String(decoding: $0, as: UTF8.self).contains("HTTP/1.1 403")
            }
            #expect(String(decoding: listeners[0].client.pending, as: UTF8.self).contains("HTTP/1.1 403"))
        }
    }

    @Test("costs its client one request of its allowance, and one only")
    func allowance() async throws {
        let entry = SampleClients.entry("reports", SampleClients.token, perMinute: 1)
        try await GatewayRig.run(clients: [entry]) { (rig) async throws -> Void in
            await rig.publish(at: 0)
            let bearer = "Authorization: Bearer \(SampleClients.token)"
            let listener = try StreamListener(rig, fields: [bearer])
            listener.events(1)
            await rig.publish(at: 1)
            #expect(listener.events(2).count == 2)
            #expect(try rig.ask("/v1/stream", fields: [bearer]).status == 429)
            #expect(rig.counts(of: "reports") == (2, 1))
        }
    }

    @Test("ends when the instance stops, with a time to come back that is spread, and nobody waits for it")
    func draining() async throws {
        try await GatewayRig.run(loops: 2) { rig in
            await rig.publish(at: 0)
            let listeners = try (0..<40).map { _ in try StreamListener(rig) }
            for listener in listeners { listener.events(1) }
            let waiting = try rig.client()
            let began = ContinuousClock.now
            let draining = Task { await rig.drain() }
            var retries: Set<Int> = []
            for listener in listeners {
                let reading = listener.end()
                #expect(reading.isWhole && reading.events.last?.data == #"{"reason":"draining"}"#)
                retries.insert(reading.retries.last ?? 0)
                listener.client.close()
            }
            waiting.close()
            let result = await draining.value
            #expect(result.cut == 0)
            #expect(ContinuousClock.now - began < .seconds(4))
            #expect(retries.count >= 8 && retries.allSatisfy { (500...4_250).contains($0) })
            #expect(rig.streams.ends.value(.draining) == 40)
        }
    }

    @Test("is refused where the instance stops, with a time to come again that is spread")
    func stopping() async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            await rig.tellOfDraining()
            let client = try rig.client()
            let refusals = try (0..<40).map { _ in try client.exchange(GatewayRig.request("/v1/stream")) }
            #expect(refusals.allSatisfy { $0.status == 503 && $0.text.contains("ask another one") })
            let waits = refusals.map { $0.field("retry-after").flatMap { Int($0) } ?? 0 }
            #expect(Set(waits).count >= 3 && waits.allSatisfy { (2...10).contains($0) })
        }
    }

    @Test("ends where upstream no longer has its base, and says so")
    func unsupported() async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            let gone = try StreamListener(rig, "/v1/stream?base=ISK")
            let other = try StreamListener(rig)
            #expect(gone.events(1).count == 1 && other.events(1).count == 1)
            await rig.publish(SampleTable.table("USD", [SampleTable.live("EUR", "0.85")]), at: 1)
            #expect(gone.end().events.last?.data == #"{"reason":"unsupported"}"#)
            #expect(other.events(2).count == 2)
            #expect(await rig.openStreams() == 1)
        }
    }

    @Test("is one line in the access log, at its end")
    func accessLog() async throws {
        try await GatewayRig.run(accessLog: .oneIn(1)) { rig in
            await rig.publish(at: 0)
            let listener = try StreamListener(rig, fields: ["X-Request-Id: abc", "X-Client-Name: board"])
            listener.events(1)
            #expect(rig.logged.isEmpty)
            rig.time.advance(by: .milliseconds(1_234))
            listener.client.close()
            #expect(await eventually(within: .seconds(5)) { rig.logged.count == 1 })
            let line = try #require(rig.logged.first)
            for part in [
                #""message":"stream ended""#, #""route":"stream""#, #""ms":"1234""#, #""reason":"left""#,
                #""request_id":"abc""#, #""client":"board""#,
            ] { #expect(line.contains(part), "\(line)") }
        }
    }

    @Test("leaves requests their turn while hundreds of streams are told")
    func turns() async throws {
        try await GatewayRig.run(streamLimit: 400) { rig in
            await rig.publish(at: 0)
            let crowd = try StreamCrowd()
            try await crowd.connect(400, port: rig.port, request: GatewayRig.request("/v1/stream"))
            let areOpen = await eventually(within: .seconds(10)) {
                rig.streams.events.value(.snapshot) == 400
            }
            #expect(areOpen)
            let client = try rig.client()
            await rig.hold(
                SampleTable.usd, fetchedAt: SampleTable.fetchedAt + .seconds(1),
                meeting: [(client, GatewayRig.request("/v1/status"))])
            #expect(try client.answers(1).answers.first?.status == 200)
            // All that was written first: one turn, and one more for the order in which the loop hears of things.
            let told = try #require(rig.toldAtStatus.withLock { $0.first })
            #expect((400...432).contains(told), "\(told)")
            let isTold = await eventually(within: .seconds(10)) { rig.streams.events.value(.snapshot) == 800 }
            #expect(isTold)
            await crowd.stop()
        }
    }

    @Test("that begins while others are told has the new table once")
    func beginsMeanwhile() async throws {
        try await GatewayRig.run(streamLimit: 400) { rig in
            await rig.publish(at: 0)
            let crowd = try StreamCrowd()
            try await crowd.connect(300, port: rig.port, request: GatewayRig.request("/v1/stream"))
            let targets = ["EUR", "GBP", "JPY", "INR", "ISK", "RON", "EUR,GBP", "EUR,JPY"].map {
                "/v1/stream?symbols=\($0)"
            }
            let first = try targets.map { try StreamListener(rig, $0) }
            for listener in first { #expect(listener.events(1).count == 1) }
            #expect(await eventually(within: .seconds(10)) { await rig.openStreams() == 308 })
            let second = try targets.map { (try rig.client(), GatewayRig.request($0)) }
            await rig.hold(
                SampleTable.usd, fetchedAt: SampleTable.fetchedAt + .seconds(1), meeting: second)
            for listener in first { #expect(listener.events(2).count == 2) }
            let isTold = await eventually(within: .seconds(10)) {
                await crowd.readings(every: 100).allSatisfy { $0.events.count == 2 }
            }
            #expect(isTold)
            for (client, _) in second {
                _ = client.read(within: .milliseconds(50)) { EventStreamReader($0).events.count > 1 }
                let events = EventStreamReader(client.pending).events
                #expect(events.map(\.id) == [first[0].reading.events[1].id])
            }
            await crowd.stop()
        }
    }

    @Test("ends for a reader that doesn't read, however many others do")
    func behind() async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            let deaf = try StreamListener(rig, receiveBuffer: 4_096)
            let other = try StreamListener(rig)
            #expect(other.events(1).count == 1)
            #expect(await eventually(within: .seconds(5)) { await rig.openStreams() == 2 })
            var second = 0
            while rig.streams.ends.value(.behind) == 0, second < 2_000 {
                second += 1
                await rig.publish(at: second)
                if second % 50 == 0 { other.events(second) }
            }
            #expect(rig.streams.ends.value(.behind) == 1, "after \(second) events")
            #expect(other.events(second + 1).count == second + 1)
            #expect(await rig.openStreams() == 1)
            // What the kernel and the gateway kept for it is bounded.
            let size = other.reading.events.reduce(0) { $0 + $1.data.utf8.count }
            #expect(size < 400 << 10, "\(size)")
            deaf.client.close()
        }
    }
}
