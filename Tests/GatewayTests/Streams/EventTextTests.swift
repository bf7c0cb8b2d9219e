import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Events as bytes")
struct EventTextTests {
    private static let id = SnapshotID(fetchedAt: SampleTable.fetchedAt, digest: [1, 2, 3, 4])
    private static let usd = Resource.latest(base: .usd)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("a snapshot is the body of /v1/latest with one member more, under the snapshot's id")
    func snapshot() {
        let bytes = EventText.snapshot(
            Array(#"{"a":1,"b":{"c":"d"}}"#.utf8), of: Self.usd, Self.id, isGap: true)
        #expect(
            text(bytes) == """
                event: snapshot
                id: \(Self.id)
                data: {"a":1,"b":{"c":"d"},"stream":{"resource":"latest:USD","gap":true}}


                """)
    }

    @Test("no line's end within the data ends it")
    func lineEnds() {
        let bytes = EventText.event("x", data: Array("{\"a\":\r\n1,\"b\":\r2,\n\n\"c\":3}".utf8))
        #expect(text(bytes) == "event: x\ndata: {\"a\":  1,\"b\": 2,  \"c\":3}\n\n")
    }

    @Test("a pause says its resource, reason and end, or that it is over; it has no id")
    func cooldown() {
        let pause = StreamPause(.cooldown(until: SampleTable.fetchedAt))
        #expect(
            text(EventText.cooldown(pause, of: Self.usd)) == """
                event: cooldown
                data: {"resource":"latest:USD","running":true,"reason":"cooldown",\
                "until":"2026-06-16T14:02:03Z"}


                """)
        #expect(
            text(EventText.cooldown(nil, of: Self.usd)) == """
                event: cooldown
                data: {"resource":"latest:USD","running":false}


                """)
    }

    @Test("the end says why, and when to come back; a heartbeat is no event")
    func others() {
        #expect(
            text(EventText.end(.draining, retry: 750))
                == "event: end\nretry: 750\ndata: {\"reason\":\"draining\"}\n\n")
        #expect(text(EventText.retry(2_500)) == "retry: 2500\n\n")
        #expect(text(EventText.heartbeat) == ":\n\n")
    }

    @Test(
        "a pause is news where it begins, ends, changes its reason, or moves by more than a second",
        arguments: [
            (RefreshCondition.idle, RefreshCondition.refreshing, false),
            (.idle, .cooldown(until: UnixMilliseconds(10_000)), true),
            (.cooldown(until: UnixMilliseconds(10_000)), .idle, true),
            (.cooldown(until: UnixMilliseconds(10_000)), .cooldown(until: UnixMilliseconds(11_000)), false),
            (.cooldown(until: UnixMilliseconds(10_000)), .cooldown(until: UnixMilliseconds(11_001)), true),
            (.cooldown(until: UnixMilliseconds(10_000)), .cooldown(until: UnixMilliseconds(8_999)), true),
            (.cooldown(until: UnixMilliseconds(10_000)), .quotaSpent(until: UnixMilliseconds(10_000)), true),
            (.paced(until: UnixMilliseconds(1)), .failing(until: UnixMilliseconds(1)), false),
        ])
    func pauseNews(before: RefreshCondition, after: RefreshCondition, isNews: Bool) {
        #expect(StreamPause.isNews(from: before, to: after) == isNews)
    }

    @Test("an independent reader finds the same events, with the id that stays and the times to come back")
    func reading() {
        let events =
            text(EventText.retry(2_000))
            + text(EventText.snapshot(Array("{}".utf8), of: Self.usd, Self.id, isGap: false))
            + text(EventText.heartbeat) + text(EventText.cooldown(nil, of: Self.usd))
            + text(EventText.end(.revoked, retry: 500))
        let reader = EventStreamReader(Array("HTTP/1.1 200 OK\r\nA: b\r\n\r\n\(events)".utf8))
        #expect(reader.status == 200 && reader.fields == ["a": "b"])
        #expect(reader.events.map(\.name) == ["snapshot", "cooldown", "end"])
        #expect(reader.events.allSatisfy { $0.id == Self.id.text })
        #expect(reader.retries == [2_000, 500] && reader.comments == 1)
    }
}
