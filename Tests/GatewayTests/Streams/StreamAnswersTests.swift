import CacheLayer
import Telemetry
import TestSupport
import Testing

@testable import FXGateway

@Suite("Event streams", .timeLimit(.minutes(3)))
struct StreamAnswersTests {
    @Test("begin with the fields of a stream, a time to come back, and what /v1/latest says at this moment")
    func beginning() async throws {
        try await GatewayRig.run { rig in
            let id = await rig.publish(at: 0)
            let listener = try StreamListener(rig)
            let first = try #require(listener.events(1).first)
            let reading = listener.reading
            #expect(reading.status == 200)
            #expect(reading.fields["content-type"] == "text/event-stream")
            #expect(reading.fields["cache-control"] == "no-store")
            #expect(reading.fields["x-accel-buffering"] == "no")
            #expect(reading.fields["transfer-encoding"] == "chunked")
            #expect(reading.fields["content-length"] == nil && reading.fields["connection"] == nil)
            #expect(reading.retries.count == 1 && (2_000...4_000).contains(reading.retries[0]))
            #expect(first.name == "snapshot" && first.id == id)
            #expect(first.resource == "latest:USD" && !first.isGap && first.state == "fresh")
        }
    }

    @Test(
        "tell a table exactly as /v1/latest does, under the same filter",
        arguments: [
            "", "?symbols=EUR,JPY", "?base=EUR", "?base=isk&symbols=usd,eur,XXX",
            "?symbols=GBP&numbers=string",
            "?base=EUR&numbers=string&symbols=eur",
        ])
    func sameBody(query: String) async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            let listener = try StreamListener(rig, "/v1/stream" + query)
            listener.events(1)
            await rig.publish(at: 60)
            let events = listener.events(2)
            let body = try rig.ask("/v1/latest" + query).text
            #expect(events.count == 2)
            #expect(events[1].data == body.dropLast() + #","stream":{"resource":"latest:USD","gap":false}}"#)
        }
    }

    @Test("get each publication once and in order, on every loop, and news that are none not at all")
    func publications() async throws {
        try await GatewayRig.run(loops: 2) { rig in
            var ids = [await rig.publish(at: 0)]
            let listeners = try (0..<12).map { number in
                try StreamListener(rig, number % 2 == 0 ? "/v1/stream" : "/v1/stream?base=EUR&symbols=USD")
            }
            for listener in listeners { listener.events(1) }
            for second in [10, 20, 30] { ids.append(await rig.publish(at: second)) }
            // Another condition of the same snapshot.
            await rig.hold(
                SampleTable.usd, condition: .refreshing, token: 31,
                fetchedAt: SampleTable.fetchedAt + .seconds(30))
            for listener in listeners { #expect(listener.events(4).map(\.id) == ids) }
            #expect(listeners[0].quiet().events.count == 4)
            #expect(rig.streams.events.value(.snapshot) == 48)
            #expect(await rig.openStreams() == 12)
        }
    }

    @Test("of a base with a table of its own follow that table, and the pivot's only while there is none")
    func directBase() async throws {
        let eur = SampleTable.table("EUR", [SampleTable.live("USD", "1.17352")])
        try await GatewayRig.run(bases: [.usd, .eur]) { rig in
            await rig.publish(at: 0)
            let listener = try StreamListener(rig, "/v1/stream?base=EUR&symbols=USD")
            #expect(listener.events(1).map(\.resource) == ["latest:USD"])
            await rig.publish(at: 1)
            await rig.publish(eur, at: 2)
            await rig.publish(at: 3)
            await rig.publish(eur, at: 4)
            let events = listener.events(4)
            #expect(events.map(\.resource) == ["latest:USD", "latest:USD", "latest:EUR", "latest:EUR"])
            #expect(listener.quiet().events.count == 4)
        }
    }

    @Test(
        "are refused as the table is",
        arguments: [
            ("?base=ZZZ", 422, "unsupported_base"), ("?symbols=ZZZ,QQQ", 422, "invalid_pair"),
            ("?base=EURO123456", 400, "invalid_request"), ("?symbols=", 400, "invalid_request"),
            ("?symbols=EUR,,USD", 400, "invalid_request"), ("?numbers=x", 400, "invalid_request"),
            ("?events=", 400, "invalid_request"), ("?events=snapshot,", 400, "invalid_request"),
            ("?events=Snapshot", 400, "invalid_request"), ("?last_event_id=7", 400, "invalid_request"),
            ("?base=EUR&base=EUR", 400, "invalid_request"),
            ("?events=snapshot&events=cooldown", 400, "invalid_request"),
        ])
    func refusals(query: String, status: Int, code: String) async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            let answer = try rig.ask("/v1/stream" + query)
            #expect(answer.status == status && answer.text.contains("\"code\":\"\(code)\""), "\(answer.text)")
            #expect(await rig.openStreams() == 0)
        }
    }

    @Test("wait for the first table as any request, and begin with it")
    func cold() async throws {
        try await GatewayRig.run { rig in
            let listener = try StreamListener(rig)
            await rig.waiting(atLeast: 1)
            let id = await rig.publish(at: 1)
            #expect(listener.events(1).map(\.id) == [id])
            #expect(listener.quiet().events.count == 1)
        }
        try await GatewayRig.run { rig in
            let answer = try rig.ask("/v1/stream", fields: ["Cache-Control: only-if-cached"])
            #expect(answer.status == 504)
        }
    }

    @Test("answer HEAD with the fields alone, OPTIONS and others as every route does")
    func methods() async throws {
        try await GatewayRig.run(streamLimit: 1) { rig in
            await rig.publish(at: 0)
            let client = try rig.client()
            for _ in 0..<3 {
                let head = try client.exchange(GatewayRig.request("/v1/stream", method: "HEAD"))
                #expect(head.status == 200 && head.field("content-type") == "text/event-stream")
            }
            #expect(try rig.ask("/v1/stream", method: "OPTIONS").field("allow") == "GET, HEAD, OPTIONS")
            #expect(try rig.ask("/v1/stream", method: "DELETE").status == 405)
            #expect(await rig.openStreams() == 0)
        }
    }

    @Test("go to a client of HTTP/1.0 as they are, and end with the connection")
    func http10() async throws {
        try await GatewayRig.run { rig in
            await rig.publish(at: 0)
            let client = try rig.client()
            try client.send("GET /v1/stream?symbols=EUR HTTP/1.0\r\n\r\n")
            _ = client.read { EventStreamReader($0).events.count >= 1 }
            await rig.publish(at: 1)
            _ = client.read { EventStreamReader($0).events.count >= 2 }
            let reading = EventStreamReader(client.pending)
            #expect(reading.events.count == 2)
            #expect(reading.fields["transfer-encoding"] == nil && reading.fields["connection"] == "close")
            _ = await rig.drain()
            #expect(client.read { _ in false } == .closed)
            #expect(EventStreamReader(client.pending).events.last?.name == "end")
        }
    }

    @Test("tell of pauses only where that is asked for: at the beginning, when one begins, and when it ends")
    func cooldown() async throws {
        let until = SampleTable.fetchedAt + .seconds(90)
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let both = try StreamListener(rig, "/v1/stream?events=snapshot,cooldown&symbols=EUR")
            let pauses = try StreamListener(rig, "/v1/stream?base=EUR&events=cooldown")
            let snapshots = try StreamListener(rig)
            #expect(both.events(1).count == 1 && snapshots.events(1).count == 1)
            #expect(pauses.begin().events.isEmpty)
            await rig.hold(SampleTable.usd, condition: .cooldown(until: until))
            await rig.hold(SampleTable.usd, condition: .cooldown(until: until))
            #expect(both.events(2).map(\.name) == ["snapshot", "cooldown"])
            let late = try StreamListener(rig, "/v1/stream?events=cooldown")
            #expect(
                late.events(1).map(\.data) == [
                    #"{"resource":"latest:USD","running":true,"reason":"cooldown","until":"2026-06-16T14:03:33Z"}"#
                ])
            await rig.hold(SampleTable.usd, condition: .idle)
            #expect(pauses.events(2).map(\.data) == late.events(2).map(\.data))
            #expect(both.events(3).last?.data == #"{"resource":"latest:USD","running":false}"#)
            // A pause has no id: the client comes back with the snapshot's.
            #expect(Set(both.reading.events.map(\.id)).count == 1)
            snapshots.events(1)
            #expect(snapshots.quiet().events.map(\.name) == ["snapshot"])
        }
    }
}
