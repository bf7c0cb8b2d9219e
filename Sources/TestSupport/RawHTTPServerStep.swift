/// One thing a raw server does in answer to a request.
///
/// After the last step the connection stays open for the next request, unless a step has closed it.
package enum RawHTTPServerStep: Sendable {
    /// Writes these bytes as they are.
    case send([UInt8])
    /// Does nothing for this long; ends early when the client hangs up or the server stops.
    case wait(Duration)
    /// Does nothing until the client hangs up or the server stops.
    case hold
    /// Ends the connection in order (FIN).
    case close
    /// Breaks the connection off (RST).
    case reset

    /// Writes this text as UTF-8.
    package static func text(_ text: String) -> Self { .send(Array(text.utf8)) }

    /// Writes a complete HTTP answer with `Content-Length`; `status` holds the reason too, such as `200 OK`.
    package static func answer(
        _ status: String = "200 OK", fields: [(String, String)] = [], body: [UInt8]
    ) -> Self {
        var head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        return .send(Array(head.utf8) + Array("\r\n".utf8) + body)
    }

    /// Writes a complete HTTP answer with a JSON body.
    package static func json(
        _ body: String, status: String = "200 OK", fields: [(String, String)] = []
    ) -> Self {
        .answer(status, fields: [("Content-Type", "application/json")] + fields, body: Array(body.utf8))
    }

    /// Every way of an answer to take longer than anybody waits, with its name.
    package static let slowAnswers: [(name: String, steps: [Self])] = [
        ("nothing at all", [.hold]),
        ("a head without end", [.text("HTTP/1.1 200 OK\r\nContent-Type: app"), .hold]),
        ("a head without body", [.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), .hold]),
        (
            "a drip",
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")]
                + (0..<3_000).flatMap { _ in [Self.text("{"), .wait(.milliseconds(20))] }
        ),
    ]
}
