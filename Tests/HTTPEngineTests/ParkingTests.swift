import HTTPEngine
import TestSupport
import Testing

extension OnSockets {
    @Suite("Parked requests")
    struct ParkingTests {
        @Test("a thousand are all answered from another thread", arguments: [1, 2])
        func thousand(loops: Int) async throws {
            try await ServerUnderTest.run(loops: loops) { server in
                let clients = try (0..<1000).map { _ in try server.client() }
                for client in clients { try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n") }
                #expect(await eventually(within: .seconds(10)) { server.log.now.parked.count == 1000 })
                #expect(server.server.counts.parked == 1000)
                let parked = server.log.now.parked
                #expect(Set(parked).count == 1000)
                for id in parked { server.server.resume(id, Answers.found) }
                for client in clients {
                    let (answers, _) = try client.answers(1)
                    #expect(answers.first?.text == "found")
                }
                #expect(server.server.counts.parked == 0)
                #expect(server.log.now.abandoned.isEmpty)
            }
        }

        @Test(
            "keep their head and body until they are answered",
            arguments: [
                "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            ])
        func keepsBytes(_ body: String) async throws {
            try await ServerUnderTest.run { server in
                let parked = try server.client()
                try parked.send(
                    "POST /park?a=1 HTTP/1.1\r\nHost: a\r\nX-Test: one\r\nX-Request-Id: mine\r\n\(body)")
                #expect(await eventually(within: .seconds(5)) { server.log.now.parked.count == 1 })
                // Others pass through the loop's buffer meanwhile.
                let other = try server.client()
                for _ in 0..<10 {
                    _ = try other.exchange("GET /dump?zzzzzzzzz HTTP/1.1\r\nHost: bbbbbbb\r\n\r\n")
                }
                server.server.resume(try #require(server.log.now.parked.first)) { request, writer in
                    writer.begin(status: 200)
                    let query = request.query.map { String(decoding: $0, as: UTF8.self) } ?? ""
                    let value =
                        request.header(named: "x-test").map { String(decoding: $0, as: UTF8.self) } ?? ""
                    writer.end(body: "\(query) \(value) \(String(decoding: request.body, as: UTF8.self))")
                    return .answered
                }
                let answer = try #require(try parked.answers(1).answers.first)
                #expect(answer.text == "a=1 one abc")
                #expect(answer.field("x-request-id") == "mine")
            }
        }

        @Test("a client that leaves is noticed at once, and resuming it later does nothing")
        func clientLeaves() async throws {
            try await ServerUnderTest.run { server in
                let clients = try (0..<100).map { _ in try server.client() }
                for client in clients { try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n") }
                #expect(await eventually(within: .seconds(5)) { server.log.now.parked.count == 100 })
                for (index, client) in clients.enumerated() {
                    if index % 2 == 0 { client.close() } else { client.reset() }
                }
                #expect(await eventually(within: .seconds(5)) { server.log.now.abandoned.count == 100 })
                #expect(Set(server.log.now.abandoned) == Set(server.log.now.parked))
                #expect(server.server.counts.open == 0)
                #expect(server.server.counts.parked == 0)
                for id in server.log.now.parked { server.server.resume(id, Answers.found) }
                #expect(
                    try server.client().exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
            }
        }

        @Test("a client that has sent much more and then leaves is noticed, too")
        func leavesWithInput() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually(within: .seconds(5)) { server.log.now.parked.count == 1 })
                for _ in 0..<40 { try client.send([UInt8](repeating: 0x41, count: 1000)) }
                client.halfClose()
                #expect(await eventually(within: .seconds(5)) { server.log.now.abandoned.count == 1 })
            }
        }

        @Test("T1: one too many is answered 503 and keeps its connection")
        func limit() async throws {
            try await ServerUnderTest.run({ $0.maxParkedPerLoop = 2 }) { server in
                let clients = try (0..<3).map { _ in try server.client() }
                for (index, client) in clients.enumerated() {
                    try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(
                        await eventually(within: .seconds(5)) { server.log.now.parked.count == index + 1 })
                }
                let answer = try #require(try clients[2].answers(1).answers.first)
                #expect(answer.status == 503)
                #expect(answer.field("connection") == nil)
                #expect(server.log.now.abandoned.count == 1)
                #expect(server.server.counts.faults(.tooManyParked) == 1)
                #expect(try clients[2].exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
                for id in server.log.now.parked { server.server.resume(id, Answers.found) }
                #expect(try clients[0].answers(1).answers.first?.text == "found")
            }
        }

        @Test("may be parked again by the answer, under the same id")
        func parkedAgain() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually(within: .seconds(5)) { server.log.now.parked.count == 1 })
                let id = try #require(server.log.now.parked.first)
                for _ in 0..<3 { server.server.resume(id) { _, _ in .parked } }
                server.server.resume(id, Answers.found)
                #expect(try client.answers(1).answers.first?.text == "found")
                #expect(server.server.counts.parked == 0)
            }
        }

        @Test("an answer that resumes others from inside doesn't mix with them")
        func resumedFromInside() async throws {
            try await ServerUnderTest.run { server in
                let clients = try (0..<20).map { _ in try server.client() }
                for client in clients { try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n") }
                #expect(await eventually(within: .seconds(5)) { server.log.now.parked.count == 20 })
                let parked = server.log.now.parked
                let http = server.server
                http.resume(parked[0]) { _, writer in
                    writer.begin(status: 200)
                    for id in parked.dropFirst() { http.resumeNow(id, Answers.found) }
                    writer.end(body: "leader")
                    return .answered
                }
                let texts = try clients.map { try $0.answers(1).answers.first?.text }
                #expect(texts.count { $0 == "leader" } == 1)
                #expect(texts.count { $0 == "found" } == 19)
            }
        }
    }
}
