import ExchangeRateClient
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Limits of the transport", .timeLimit(.minutes(3)))
struct TransportLimitTests {
    @Test(
        "the deadline ends every kind of slowness and drops the connection",
        arguments: RawHTTPServerStep.slowAnswers)
    func deadline(name: String, steps: [RawHTTPServerStep]) async throws {
        try await RawHTTPServer.run(steps) { server in
            let start = ContinuousClock.now
            let failure = try await server.transport().failure(deadline: .milliseconds(400))
            let took = start.duration(to: .now)
            #expect(failure == .timedOut)
            #expect(took >= .milliseconds(400) && took < .seconds(15))
            #expect(await eventually { server.openConnections == 0 })
        }
    }

    @Test(
        "a deadline of zero or less sends nothing and asks no gate", arguments: [Duration.zero, .seconds(-1)])
    func noTime(deadline: Duration) async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let failure = try await server.transport().failure(
                deadline: deadline,
                gate: {
                    Issue.record("the gate was asked")
                    return true
                })
            #expect(failure == .timedOut)
            #expect(server.connections == 0)
        }
    }

    @Test("the longest deadline there is does not overflow")
    func hugeDeadline() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let answer = try await server.transport().latest(deadline: .seconds(Int64.max))
            #expect(answer.status == 200)
        }
    }

    @Test("a gate that says no sends nothing")
    func closedGate() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let failure = try await server.transport().failure(gate: { false })
            #expect(failure == .notStarted)
            #expect(server.connections == 0)
        }
    }

    @Test("an open gate is asked once")
    func openGate() async throws {
        let asked = Mutex(0)
        try await RawHTTPServer.run([.json("{}")]) { server in
            let failure = try await server.transport().failure(gate: {
                asked.withLock { $0 += 1 }
                return true
            })
            #expect(failure == nil)
            #expect(asked.withLock { $0 } == 1)
        }
    }

    @Test("a cancelled caller leaves at once and drops the connection")
    func cancelled() async throws {
        try await RawHTTPServer.run([.hold]) { server in
            let transport = try server.transport()
            let call = Task { await transport.failure() }
            #expect(await eventually { server.requests.count == 1 })
            call.cancel()
            #expect(await call.value == .cancelled)
            #expect(await eventually { server.openConnections == 0 })
        }
    }

    @Test("a caller that is cancelled already sends nothing and asks no gate")
    func cancelledBefore() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let transport = try server.transport()
            let failure = await withTaskGroup(of: TransportError?.self) { group in
                group.cancelAll()
                group.addTask {
                    await transport.failure(gate: {
                        Issue.record("the gate was asked")
                        return true
                    })
                }
                return await group.next() ?? nil
            }
            #expect(failure == .cancelled)
            #expect(server.connections == 0)
        }
    }

    @Test("deadline, cancellation and answer at the same moment end a request once", arguments: 0..<40)
    func race(number: Int) async throws {
        try await RawHTTPServer.run([.wait(.milliseconds(10)), .json("{}")]) { server in
            let transport = try server.transport()
            let call = Task { await transport.failure(deadline: .milliseconds(8 + number % 8)) }
            try await Task.sleep(for: .milliseconds(8 + number % 5))
            call.cancel()
            let failure = await call.value
            #expect(failure == nil || failure == .timedOut || failure == .cancelled)
        }
    }

    static let closeCalls: [(String, RawHTTPServerStep)] = [
        ("200", .json("{}")), ("302", .json("{}", status: "302 Found", fields: [("Location", "/v1/x")])),
        ("401", .json("{}", status: "401 No", fields: [("WWW-Authenticate", "Basic realm=\"x\"")])),
    ]

    // FoundationNetworking stops the process when a task is cancelled between a redirect and our verdict on it.
    @Test("an answer on the very moment of the deadline harms nobody", arguments: closeCalls)
    func closeCall(status: String, answer: RawHTTPServerStep) async throws {
        try await RawHTTPServer.run([answer]) { server in
            let transport = try server.transport()
            for number in 0..<600 {
                do {
                    let answer = try await transport.latest(
                        deadline: .microseconds(100 + number * 37 % 1_200))
                    #expect("\(answer.status)" == status)
                } catch {
                    #expect(error as? TransportError == .timedOut)
                }
            }
        }
    }

    @Test(
        "a body of exactly the limit passes, one byte more does not", arguments: [true, false], [true, false])
    func bodyLimit(isChunked: Bool, isOver: Bool) async throws {
        let body = String(repeating: "x", count: isOver ? 1_001 : 1_000)
        let size = String(body.count, radix: 16)
        let chunked = RawHTTPServerStep.text(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n")
        try await RawHTTPServer.run([isChunked ? chunked : .json(body)]) { server in
            let failure = try await server.transport(bodyLimit: 1_000).failure()
            #expect(failure == (isOver ? .bodyTooLarge : nil))
        }
    }

    @Test("a length beyond the limit ends the request before the body comes")
    func announcedLength() async throws {
        try await RawHTTPServer.run([.text("HTTP/1.1 200 OK\r\nContent-Length: 1000001\r\n\r\n"), .hold]) {
            server in
            let failure = try await server.transport(bodyLimit: 1_000_000).failure()
            #expect(failure == .bodyTooLarge)
            #expect(await eventually { server.openConnections == 0 })
        }
    }

    @Test("a body without end is dropped at the limit")
    func endlessBody() async throws {
        let piece = RawHTTPServerStep.send(Array(repeating: 0x20, count: 65_536))
        let steps = [.text("HTTP/1.1 200 OK\r\n\r\n")] + Array(repeating: piece, count: 3_000)
        try await RawHTTPServer.run(steps) { server in
            let failure = try await server.transport(bodyLimit: 65_536).failure()
            #expect(failure == .bodyTooLarge)
            #expect(await eventually { server.openConnections == 0 })
        }
    }

    @Test("gzip nobody asked for is decoded, and the limit counts decoded bytes")
    func gzip() async throws {
        let small = Gzip.run(of: 0x30, runs: 3)
        let bomb = Gzip.run(of: 0, runs: 20_000)  // 5 MB from 32 kB
        #expect(bomb.count < 65_536)
        let fields = [("Content-Encoding", "gzip")]
        try await RawHTTPServer.run(
            [.answer(fields: fields, body: small)], [.answer(fields: fields, body: bomb)], [.json("{}")]
        ) { server in
            let transport = try server.transport(bodyLimit: 65_536)
            let answer = try await transport.latest()
            #expect(answer.body == Data(repeating: 0x30, count: 775))
            #expect(await transport.failure() == .bodyTooLarge)
            let next = try await transport.latest()
            #expect(next.status == 200)
        }
    }
}
