import HTTPEngine
import TestSupport
import Testing

extension OnSockets {
    @Suite("Request bodies")
    struct BodyTests {
        static let text = "{\"from\":\"USD\",\"pairs\":[[\"EUR\",1]]}"
        static let counted = "POST /v1/convert HTTP/1.1\r\nHost: a\r\nContent-Length: 34\r\n\r\n" + text
        static let chunked =
            "POST /v1/convert HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5;a=\"b;c\"\r\n{\"fro\r\n1D\r\nm\":\"USD\",\"pairs\":[[\"EUR\",1]]}\r\n000\r\nX-Trailer: 1\r\n\r\n"

        @Test(
            "arrive whole and leave the next request alone, however the bytes are cut",
            arguments: [counted, chunked])
        func splits(_ request: String) async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let bytes = Array((request + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
                for cut in 1..<bytes.count {
                    try client.send(bytes[..<cut])
                    try client.send(bytes[cut...])
                    #expect(
                        try client.answers(2).answers.map(\.text) == [Self.text, "/healthz"], "cut at \(cut)")
                }
                let again = try server.client()
                for byte in bytes { try again.send([byte]) }
                #expect(try again.answers(2).answers.map(\.text) == [Self.text, "/healthz"])
            }
        }

        @Test("of exactly the limit are taken, one byte more is not", arguments: [true, false])
        func limit(isChunked: Bool) async throws {
            try await ServerUnderTest.run({ $0.bodyLimit = 1000 }) { server in
                for (count, status) in [(1000, 200), (1001, 413)] {
                    let client = try server.client()
                    let body = String(repeating: "x", count: count)
                    let framing =
                        isChunked
                        ? "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
                        : "Content-Length: \(count)\r\n\r\n\(body)"
                    let answer = try client.exchange("POST /v1/convert HTTP/1.1\r\nHost: a\r\n" + framing)
                    #expect(answer.status == status)
                    if status == 413 { #expect(client.isClosedByServer()) }
                }
            }
        }

        @Test("that never end are cut with 408")
        func deadline() async throws {
            try await ServerUnderTest.run({ $0.bodyDeadline = .milliseconds(200) }) { server in
                let client = try server.client()
                let answer = try client.exchange(
                    "POST /v1/convert HTTP/1.1\r\nHost: a\r\nContent-Length: 34\r\n\r\n{")
                #expect(answer.status == 408)
                #expect(client.isClosedByServer())
                #expect(server.server.counts.faults(.bodyTimedOut) == 1)
            }
        }

        @Test("are asked for with 100 Continue only where they are taken")
        func expectation() async throws {
            try await ServerUnderTest.run { server in
                let head = "Host: a\r\nContent-Length: 34\r\nExpect: 100-Continue\r\n\r\n"
                let client = try server.client()
                #expect(try client.exchange("POST /v1/convert HTTP/1.1\r\n" + head).status == 100)
                #expect(try client.exchange(Self.text).text == Self.text)
                // A body that comes with the head isn't asked for.
                #expect(try client.exchange("POST /v1/convert HTTP/1.1\r\n" + head + Self.text).status == 200)

                let refused = try server.client()
                #expect(try refused.exchange("POST /healthz HTTP/1.1\r\n" + head).status == 413)
                #expect(refused.isClosedByServer())

                // HTTP/1.0 knows no interim answers.
                let old = try server.client()
                try old.send("POST /v1/convert HTTP/1.0\r\n" + head)
                #expect(old.read(within: .milliseconds(50)) == .timedOut)
                #expect(try old.exchange(Self.text).status == 200)
            }
        }

        @Test("other expectations are refused", arguments: ["200-ok", "100-continue, x", ""])
        func unknownExpectation(_ value: String) async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let answer = try client.exchange(
                    "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: \(value)\r\n\r\n")
                #expect(answer.status == 417)
                #expect(client.isClosedByServer())
            }
        }

        @Test("are not needed by POST")
        func none() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                for length in ["", "Content-Length: 0\r\n"] {
                    let answer = try client.exchange("POST /v1/convert HTTP/1.1\r\nHost: a\r\n\(length)\r\n")
                    #expect(answer.status == 200)
                    #expect(answer.body.isEmpty)
                }
            }
        }
    }
}
