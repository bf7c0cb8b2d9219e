import ExchangeRateClient
import Foundation
import TestSupport
import Testing

@Suite("Failures of the transport", .timeLimit(.minutes(3)))
struct TransportFailureTests {
    @Test("nobody at the port is refused")
    func refused() async throws {
        let transport = try RawTransport(baseURL: closedPort(), apiKey: secretKey)
        #expect(await transport.failure() == .refused)
    }

    @Test("a name without address is a DNS failure")
    func unknownName() async throws {
        let transport = try RawTransport(baseURL: parsedURL("https://nonexistent.invalid"), apiKey: secretKey)
        #expect(await transport.failure(deadline: .seconds(50)) == .dns)
    }

    static let broken: [(String, [RawHTTPServerStep])] = [
        ("closed without a byte", [.close]),
        ("reset without a byte", [.reset]),
        ("cut off in the status line", [.text("HTTP/1.1"), .close]),
        ("cut off in the head", [.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nDa"), .close]),
        ("shorter than its length", [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"res"), .close]),
        (
            "reset in the body",
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), .wait(.milliseconds(50)), .reset]
        ),
        (
            "cut off in a chunk",
            [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc"), .close]
        ),
    ]

    @Test("a connection that breaks is lost, never a short answer", arguments: broken)
    func brokenConnection(name: String, steps: [RawHTTPServerStep]) async throws {
        try await RawHTTPServer.run(steps) { server in
            let failure = try await server.transport().failure()
            #expect(failure == .connectionLost)
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        "an answer that breaks HTTP is some other failure",
        arguments: [
            "220 mail.example ESMTP\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 1000 Much\r\n\r\n",
            "ICY 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}", "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: odd\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n", "\0\0\0\0\r\n\r\n",
        ])
    func notHTTP(bytes: String) async throws {
        try await RawHTTPServer.run([.text(bytes), .close]) { server in
            guard case .other = try await server.transport().failure() else {
                Issue.record("\(bytes) passed as HTTP")
                return
            }
        }
    }

    @Test("endless header fields are cut off")
    func endlessHead() async throws {
        let field = RawHTTPServerStep.text("A: \(String(repeating: "x", count: 4_000))\r\n")
        let steps = [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")] + Array(repeating: field, count: 500)
        try await RawHTTPServer.run(steps + [.hold]) { server in
            let failure = try await server.transport().failure(deadline: .seconds(10))
            #expect(failure != nil && failure != .timedOut)
        }
    }

    @Test("gzip that is none is a failure, not an empty answer")
    func brokenGzip() async throws {
        let fields = [("Content-Encoding", "gzip")]
        try await RawHTTPServer.run([.answer(fields: fields, body: Array("no gzip".utf8))]) { server in
            let failure = try await server.transport().failure()
            #expect(failure != nil && failure != .timedOut)
        }
    }

    @Test("https to a server without TLS is a handshake failure, and the key stays home")
    func plainServer() async throws {
        try await RawHTTPServer.run([.text("HTTP/1.1 400 Bad Request\r\n\r\n"), .close]) { server in
            let failure = try await server.transport(scheme: "https").failure()
            #expect(failure == .tls(.handshake))
            #expect(server.requests.allSatisfy { $0.head.isEmpty })
        }
    }
}
