import CacheLayer
import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import FXGateway

@Suite("The last events")
struct EventRingTests {
    private static let noon = UnixMilliseconds(1_781_618_523_000)

    @Test("are the newest fifty, whatever the log's level, the newest first")
    func newest() {
        let ring = EventRing(wall: { Self.noon })
        let written = Locked(0)
        let logger = Logger(level: .error, format: .json, sink: { _ in written.withLock { $0 += 1 } })
            .observed { ring.note($0, $1, $2) }
        for number in 1...73 { logger.log(.debug, "fetched", [.token: String(number)]) }
        let events = ring.newest
        #expect(events.map(\.number) == Array((24...73).reversed()))
        #expect(events.map { $0.fields.map(\.value) } == (24...73).reversed().map { [String($0)] })
        #expect(written.withLock { $0 } == 0)
    }

    @Test("have the fields of rates and calls, none of machines, files, clients or requests, and no long one")
    func fields() throws {
        let ring = EventRing(wall: { Self.noon })
        ring.note(
            .warning, "an upstream answer was not let in",
            [
                .resource: "latest:EUR", .reason: String(repeating: "<b>", count: 400),
                .address: "10.0.0.1:6379",
                .path: "/etc/key", .client: "billing", .requestID: "r-1", .remoteAddress: "10.0.0.2",
                .variable: "EXCHANGERATE_API_KEY",
            ])
        let event = try #require(ring.newest.first)
        #expect(event.fields.map(\.key) == [.resource, .reason])
        #expect(event.fields[1].value.count == 160)
        let body = EventsPage.body(of: ring, instance: "one:1", wall: Self.noon)
        let page = try JSONTree.parse(body)
        #expect(page["instance"] == .string("one:1"))
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains(#""level":"warning","event":"an upstream answer was not let in""#))
        #expect(text.contains(#""number":1,"at":"2026-06-16T14:02:03Z""#))
        for secret in ["10.0.0", "/etc", "billing", "r-1", "API_KEY"] { #expect(!text.contains(secret)) }
    }
}
