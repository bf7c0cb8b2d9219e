import EventLoop
import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("The transport to upstream under faults", .timeLimit(.minutes(3)))
struct UpstreamTransportFaultTests {
    private static let whole =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-A: b\r\nContent-Length: 2\r\n\r\n{}"

    @Test("a peer that hangs up anywhere in its answer has not answered", arguments: [false, true])
    func cut(isReset: Bool) async throws {
        let bytes = Array(Self.whole.utf8)
        let end: RawHTTPServerStep = isReset ? .reset : .close
        try await RawHTTPServer.run(
            { _, index in [.send(Array(bytes.prefix(index))), end] },
            { server in
                let transport = try server.transport()
                for count in 0..<bytes.count {
                    let failure = await transport.failure()
                    #expect(
                        failure == .connectionLost || failure == .notHTTP && count < 9, "\(count) bytes")
                }
                if !isReset { #expect(await transport.failure() == nil) }
            })
    }

    @Test("so has one that hangs up within a chunk, between two, or before the last one's end")
    func cutChunks() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let body = Array("1\r\n{\r\n1\r\n}\r\n0\r\n\r\n".utf8)
        try await RawHTTPServer.run(
            { _, index in [.text(head), .send(Array(body.prefix(index))), .close] },
            { server in
                let transport = try server.transport()
                // The last two bytes are the end of no trailers.
                for count in 0..<(body.count - 2) {
                    #expect(await transport.failure() == .connectionLost, "\(count) bytes")
                }
            })
    }

    static let cutRefusals: [(String, [RawHTTPServerStep])] = [
        ("hung up", [.text("Content-Length: 90\r\n\r\n{"), .close]),
        ("broken off", [.text("Content-Length: 90\r\n\r\n{"), .reset]),
        ("no chunk", [.text("Transfer-Encoding: chunked\r\n\r\nzz\r\n"), .close]),
        ("too long", [.text("Content-Length: 9000000\r\n\r\n"), .hold]),
        ("stalls", [.text("Content-Length: 90\r\n\r\n{"), .hold]),
    ]

    @Test("a limit counts though its body doesn't arrive whole, a table doesn't", arguments: cutRefusals)
    func cutRefusal(name: String, rest: [RawHTTPServerStep]) async throws {
        let limited = RawHTTPServerStep.text("HTTP/1.1 429 Too Many\r\nRetry-After: 600\r\n")
        try await RawHTTPServer.run([limited] + rest, [.text("HTTP/1.1 200 OK\r\n")] + rest) { server in
            let transport = try server.transport()
            let answer = try await transport.latest(deadline: .seconds(1))
            #expect(answer.status == 429 && answer[field: "Retry-After"] == "600")
            #expect(await transport.failure(deadline: .milliseconds(300)) != nil)
        }
    }

    static let garbage: [String] = [
        "hello\r\n\r\n", "SSH-2.0-x\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\r\n\r\n\r\n", "{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
        "HTTP/1.1 99 Low\r\nContent-Length: 2\r\n\r\n{}",
    ]

    @Test("U8: what is no HTTP is an error and ends", arguments: garbage)
    func noHTTP(text: String) async throws {
        try await RawHTTPServer.run([.text(text), .close]) { server in
            let failure = try await server.transport().failure()
            #expect(failure != nil)
        }
    }

    @Test(
        "U8: an answer with lengths that differ is no HTTP, whatever its status; the same one twice is fine",
        arguments: [
            ("Content-Length: 2\r\nContent-Length: 3", false),
            ("Content-Length: 3\r\ncontent-length: 2", false),
            ("Content-Length: 2, 3", false), ("Content-Length: 2\r\nContent-Length: 9000000", false),
            ("Content-Length: 2\r\nContent-Length: x", false), ("Content-Length: +2", false),
            ("Content-Length: 2\r\nContent-Length: 2", true), ("Content-Length: 2, 2", true),
        ])
    func lengths(fields: String, isTaken: Bool) async throws {
        for status in ["200 OK", "429 Too Many"] {
            let text = "HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n{} "
            try await RawHTTPServer.run([.text(text), .close]) { server in
                let failure = try await server.transport().failure()
                #expect(failure == (isTaken ? nil : .notHTTP), "\(status)")
            }
        }
    }

    @Test(
        "U1: the deadline ends every kind of slowness and drops the connection",
        arguments: RawHTTPServerStep.slowAnswers)
    func deadline(name: String, steps: [RawHTTPServerStep]) async throws {
        try await RawHTTPServer.run(steps) { server in
            let start = ContinuousClock.now
            let failure = try await server.transport().failure(deadline: .milliseconds(400))
            let took = start.duration(to: .now)
            #expect(failure == .timedOut)
            #expect(took >= .milliseconds(400) && took < .seconds(15))
            #expect(await eventually(within: .seconds(10)) { server.openConnections == 0 })
        }
    }

    @Test("a TLS handshake that hangs ends at the deadline too")
    func hangingHandshake() async throws {
        try await RawHTTPServer.run([.hold]) { server in
            let transport = try server.transport(scheme: "https")
            #expect(await transport.failure(deadline: .milliseconds(400)) == .timedOut)
            #expect(await eventually(within: .seconds(10)) { server.openConnections == 0 })
        }
    }

    @Test(
        "a deadline of zero or less sends nothing and asks no gate", arguments: [Duration.zero, .seconds(-1)])
    func noTime(deadline: Duration) async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let failure = try await server.transport().failure(deadline: deadline) {
                Issue.record("the gate was asked")
                return true
            }
            #expect(failure == .timedOut)
            #expect(server.connections == 0)
        }
    }

    @Test("the longest deadline there is does not overflow")
    func hugeDeadline() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let status = try await server.transport().latest(deadline: .seconds(Int64.max)).status
            #expect(status == 200)
        }
    }

    @Test("a gate that says no sends nothing, an open one is asked once", arguments: [false, true])
    func gate(isOpen: Bool) async throws {
        let asked = Locked(0)
        try await RawHTTPServer.run([.json("{}")]) { server in
            let failure = try await server.transport().failure {
                asked.withLock { $0 += 1 }
                return isOpen
            }
            #expect(failure == (isOpen ? nil : .notStarted))
            #expect(server.connections == (isOpen ? 1 : 0))
            #expect(asked.withLock { $0 } == 1)
        }
    }

    @Test("a cancelled caller leaves at once and drops the connection")
    func cancelled() async throws {
        try await RawHTTPServer.run([.hold]) { server in
            let transport = try server.transport()
            let call = Task { await transport.failure() }
            #expect(await eventually(within: .seconds(10)) { server.requests.count == 1 })
            let start = ContinuousClock.now
            call.cancel()
            #expect(await call.value == .cancelled)
            #expect(start.duration(to: .now) < .seconds(5))
            #expect(await eventually(within: .seconds(10)) { server.openConnections == 0 })
        }
    }

    @Test("a caller that is cancelled already sends nothing and asks no gate")
    func cancelledBefore() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let transport = try server.transport()
            let failure = await withTaskGroup(of: UpstreamError?.self) { group in
                group.cancelAll()
                group.addTask {
                    await transport.failure {
                        Issue.record("the gate was asked")
                        return true
                    }
                }
                return await group.next() ?? nil
            }
            #expect(failure == .cancelled)
            #expect(server.connections == 0)
        }
    }

    @Test("deadline, cancellation and answer at the same moment end a request once", arguments: 0..<40)
    func race(number: Int) async throws {
        try await RawHTTPServer.run([.wait(.milliseconds(number % 4)), .json("{}")]) { server in
            let transport = try server.transport()
            let hasEnded = Locked(false)
            let call = Task {
                defer { hasEnded.withLock { $0 = true } }
                return await transport.failure(deadline: .microseconds(500 + number * 173 % 4_000))
            }
            if number.isMultiple(of: 2) {
                _ = await eventually(within: .seconds(10), step: .microseconds(200)) {
                    server.requests.count == 1 || hasEnded.withLock { $0 }
                }
            }
            call.cancel()
            let failure = await call.value
            #expect(failure == nil || failure == .timedOut || failure == .cancelled)
        }
    }

    @Test(
        "a body of exactly the limit passes, one byte more does not", arguments: [true, false], [true, false])
    func bodyLimit(isChunked: Bool, isOver: Bool) async throws {
        let body = String(repeating: "x", count: isOver ? 1_001 : 1_000)
        let chunked = RawHTTPServerStep.text(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(String(body.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        )
        try await RawHTTPServer.run([isChunked ? chunked : .json(body)]) { server in
            let failure = try await server.transport(bodyLimit: 1_000).failure()
            #expect(failure == (isOver ? .tooLarge : nil))
        }
    }

    @Test("a length beyond the limit ends the request before the body comes")
    func announcedLength() async throws {
        try await RawHTTPServer.run([.text("HTTP/1.1 200 OK\r\nContent-Length: 1000001\r\n\r\n"), .hold]) {
            server in
            let failure = try await server.transport(bodyLimit: 1_000_000).failure()
            #expect(failure == .tooLarge)
            #expect(await eventually(within: .seconds(10)) { server.openConnections == 0 })
        }
    }

    @Test("U8: a body or a head without end is dropped at its limit", arguments: [true, false])
    func endless(isBody: Bool) async throws {
        let piece = RawHTTPServerStep.text(
            isBody ? String(repeating: " ", count: 65_536) : "X-A: \(String(repeating: "a", count: 900))\r\n")
        let start = "HTTP/1.1 200 OK\r\n" + (isBody ? "\r\n" : "")
        try await RawHTTPServer.run([.text(start)] + Array(repeating: piece, count: 3_000)) { server in
            let failure = try await server.transport(bodyLimit: 65_536).failure()
            #expect(failure == .tooLarge)
            #expect(await eventually(within: .seconds(10)) { server.openConnections == 0 })
        }
    }

    @Test("interim answers without end are dropped at the head's limit")
    func endlessInterim() async throws {
        let interim = RawHTTPServerStep.text("HTTP/1.1 100 Continue\r\n\r\n")
        try await RawHTTPServer.run(Array(repeating: interim, count: 6_000)) { server in
            let failure = try await server.transport().failure()
            #expect(failure == .tooLarge)
        }
    }

    @Test("nobody at the address, and a name without one, are told apart from an answer (U2)")
    func nobody() async throws {
        let refused = try UpstreamTransport(UpstreamAddress("http://127.0.0.1:1"), key: nil)
        #expect(await refused.failure() == .refused)
        let nameless = try UpstreamTransport(UpstreamAddress("http://nobody.invalid"), key: nil)
        #expect(await nameless.failure() == .dns)
    }

    @Test("U10: https to a server without TLS is a failed handshake, and the key stays home")
    func plainServer() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let transport = try server.transport(scheme: "https")
            let failure = await transport.failure()
            #expect(failure == .handshake)
            #expect(!server.requests.contains { $0.head.contains("SECRET") })
        }
    }

    @Test("U10: a certificate that nobody vouches for is refused, with a reason of its own")
    func selfSigned() async throws {
        try await TLSServer.run { server in
            let transport = try UpstreamTransport(
                UpstreamAddress(server.url.absoluteString), key: Secret(upstreamTestKey))
            let failure = await transport.failure()
            #expect(failure == .untrustedCertificate)
            #expect(failure?.reason == "tls_untrusted")
        }
    }
}
