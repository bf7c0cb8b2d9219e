import CacheLayer
import Foundation
import TestSupport
import Testing

@testable import ExchangeRateClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A stream's bounded buffer", .timeLimit(.minutes(3)))
struct StreamExchangeTests {
    private static func event(_ name: String, _ number: Int) -> String {
        "event: \(name)\nid: \(number)\ndata: {}\n\n"
    }

    /// What a reader gets of events that had all come before it began to take them: the ids, and behind which of them it is
    /// told of a loss.
    private static func taken(
        _ events: [String], buffer: Int
    ) async throws -> (ids: [String], afterLoss: [String]) {
        let around = ManualTime.still().surroundings()
        let url = try closedPort()
        // Never resumed: the bytes are handed in here.
        let exchange = StreamExchange(
            task: URLSession.shared.dataTask(with: url), eventLimit: 10_000, buffer: buffer, now: around.now)
        exchange.receive(
            try #require(
                HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: "HTTP/1.1",
                    headerFields: ["Content-Type": "text/event-stream"])))
        exchange.receive(Data(events.joined().utf8))
        exchange.complete(nil)
        var (ids, afterLoss): ([String], [String]) = ([], [])
        while case .event(let event, let isAfterLoss) = await exchange.next(
            silence: .seconds(45), sleep: around.sleep)
        {
            ids.append(event.id)
            if isAfterLoss { afterLoss.append(event.id) }
        }
        return (ids, afterLoss)
    }

    @Test("a slow reader loses the oldest tables, and is told so with the first of the others alone")
    func slowReader() async throws {
        let taken = try await Self.taken((1...20).map { Self.event("snapshot", $0) }, buffer: 4)
        #expect(taken.ids == ["17", "18", "19", "20"])
        #expect(taken.afterLoss == ["17"])
    }

    @Test("a buffer that held all tells of no loss")
    func noLoss() async throws {
        let taken = try await Self.taken((1...4).map { Self.event("snapshot", $0) }, buffer: 4)
        #expect(taken.ids == ["1", "2", "3", "4"] && taken.afterLoss.isEmpty)
    }

    @Test("a pause that comes first behind a loss doesn't swallow it: the next table tells")
    func cooldown() async throws {
        let events =
            (1...3).map { Self.event("snapshot", $0) } + [Self.event("cooldown", 4)]
            + (5...7).map { Self.event("snapshot", $0) }
        let taken = try await Self.taken(events, buffer: 4)
        #expect(taken.ids == ["4", "5", "6", "7"])
        #expect(taken.afterLoss == ["4", "5"])
    }

    @Test("a table behind a loss has a gap, whatever the gateway says of its own")
    func gap() throws {
        let event = ServerSentEvent(
            name: "snapshot", id: "01A-1",
            data:
                #"{"result":"success","base":"EUR","rates":{"USD":1.1},"stream":{"resource":"latest:EUR","gap":false}}"#
        )
        let behind = try StreamEventReader.table(event, isAfterLoss: true)
        let next = try StreamEventReader.table(event, isAfterLoss: false)
        #expect(behind.hasGap && !next.hasGap)
    }
}
