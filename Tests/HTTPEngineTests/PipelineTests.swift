import HTTPEngine
import TestSupport
import Testing

private let get = "GET /v1/latest/USD HTTP/1.1\r\nHost: a\r\n\r\n"

extension OnSockets {
    @Suite("Pipelined requests")
    struct PipelineTests {
        @Test("sixteen at once are answered in order, and again")
        func sixteen() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                for _ in 0..<20 {
                    let paths = (0..<16).map { $0 % 3 == 0 ? "/v1/latest/EUR" : "/v1/latest/USD" }
                    try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
                    let (answers, _) = try client.answers(16)
                    #expect(answers.map(\.text) == paths)
                    #expect(answers.allSatisfy { $0.status == 200 })
                }
                #expect(server.server.counts.requests == 320)
            }
        }

        @Test("a parked one in the middle holds back those behind it")
        func parkedInTheMiddle() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                try client.send(get + "GET /park HTTP/1.1\r\nHost: a\r\n\r\n" + get)
                let first = try client.answers(1)
                #expect(first.answers.map(\.text) == ["/v1/latest/USD"])
                #expect(client.read(within: .milliseconds(50)) == .timedOut)
                let id = try #require(server.log.now.parked.first)
                server.server.resume(id) { request, writer in
                    writer.begin(status: 503)
                    writer.end(body: String(decoding: request.path, as: UTF8.self))
                    return .answered
                }
                let rest = try client.answers(2)
                #expect(rest.answers.map(\.status) == [503, 200])
                #expect(rest.answers.map(\.text) == ["/park", "/v1/latest/USD"])
            }
        }

        @Test("what comes while a request is parked is answered behind it")
        func inputWhileParked() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n")
                let isParked = await eventually(within: .seconds(5)) { server.log.now.parked.count == 1 }
                #expect(isParked)
                // More than the engine keeps: the rest stays in the kernel until it reads again.
                for _ in 0..<500 { try client.send(get) }
                let id = try #require(server.log.now.parked.first)
                server.server.resume(id, Answers.found)
                let (answers, _) = try client.answers(501, within: .seconds(10))
                #expect(answers.count == 501)
                #expect(answers.allSatisfy { $0.status == 200 })
            }
        }

        @Test("two parked one after the other have different ids, and the first one's is void")
        func idsAreUsedOnce() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\nGET /park HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually(within: .seconds(5)) { server.log.now.parked.count == 1 })
                let first = try #require(server.log.now.parked.first)
                server.server.resume(first, Answers.found)
                server.server.resume(first) { _, writer in
                    writer.begin(status: 500)
                    writer.end()
                    return .answered
                }
                #expect(try client.answers(1).answers.map(\.status) == [200])
                #expect(await eventually(within: .seconds(5)) { server.log.now.parked.count == 2 })
                #expect(client.read(within: .milliseconds(50)) == .timedOut)
                let second = server.log.now.parked[1]
                #expect(first != second)
                server.server.resume(second, Answers.found)
                #expect(try client.answers(1).answers.map(\.status) == [200])
            }
        }

        @Test("a refused one ends the connection behind the answers before it")
        func refusedBehindGood() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                try client.send(get + get + "GET / HTTP/1.1\r\nHost : a\r\n\r\n" + get)
                let (answers, _) = try client.answers(3)
                #expect(answers.map(\.status) == [200, 200, 400])
                #expect(answers.last?.field("connection") == "close")
                #expect(client.isClosedByServer())
            }
        }

        @Test("one that asks for the end is the last")
        func closeInTheMiddle() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                try client.send(get + "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get)
                let (answers, _) = try client.answers(2)
                #expect(answers.map(\.text) == ["/v1/latest/USD", "/healthz"])
                #expect(client.isClosedByServer())
            }
        }
    }
}
