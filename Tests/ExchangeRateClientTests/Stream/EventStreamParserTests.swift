import Testing

@testable import ExchangeRateClient

@Suite("The parser of event streams")
struct EventStreamParserTests {
    private static let text =
        "\u{FEFF}retry: 2404\r\n\r\n: hello\n\nevent: snapshot\rid: a-1\rdata: {\rdata:  1}\r\rdata\nid: x\0y\n\n"
        + "event: only\n\ndata: no end"

    private static let steps: [EventStreamParser.Step] = [
        .retry(2_404), .comment, .event(ServerSentEvent(name: "snapshot", id: "a-1", data: "{\n 1}")),
        .event(ServerSentEvent(name: "message", id: "a-1", data: "")),
    ]

    @Test(
        "events, comments and waits come out alike, however the bytes are cut",
        arguments: [1, 2, 3, 7, 1_000])
    func pieces(size: Int) {
        var parser = EventStreamParser(limit: 1_000)
        var steps: [EventStreamParser.Step] = []
        var rest = Array(Self.text.utf8)[...]
        while !rest.isEmpty {
            steps += parser.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(steps == Self.steps)
    }

    @Test("an event over the limit ends the reading, in one line or in many")
    func limit() {
        for text in [String(repeating: "x", count: 101), String(repeating: "data: 12345\n", count: 20)] {
            var parser = EventStreamParser(limit: 100)
            #expect(parser.read(Array(text.utf8)) == [.tooLong])
            #expect(parser.read(Array("\n\ndata: 1\n\n".utf8)).isEmpty)
        }
    }
}
