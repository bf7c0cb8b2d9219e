import EventLoop
import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("The transport to upstream", .timeLimit(.minutes(3)))
struct UpstreamTransportTests {
    @Test("a request names the key, its sender and no content coding")
    func request() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            _ = try await server.transport().latest()
            let request = try #require(server.requests.first)
            #expect(request.line == "GET /v1/latest/USD HTTP/1.1")
            #expect(request.field("Host") == "127.0.0.1:\(server.port)")
            #expect(request.field("Authorization") == "Bearer \(upstreamTestKey)")
            #expect(request.field("User-Agent") == "test/1")
            #expect(request.field("Accept") == "application/json")
            #expect(request.field("Accept-Encoding") == "identity")
            #expect(request.field("Cookie") == nil)
        }
    }

    @Test("without a key there is no Authorization field")
    func anonymous() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            _ = try await server.transport(key: nil).latest()
            #expect(server.requests.first?.field("Authorization") == nil)
        }
    }

    @Test("a new key is for new requests; the one in flight keeps the old key")
    func newKey() async throws {
        let isOpen = Locked(false)
        try await RawHTTPServer.run(
            { _, index in
                while index == 0, !isOpen.withLock({ $0 }) { usleep(1_000) }
                return [.json("{}")]
            },
            { server in
                let transport = try server.transport()
                async let first = transport.latest()
                #expect(await eventually(within: .seconds(10)) { server.requests.count == 1 })
                try transport.replaceKey(Secret("other"))
                isOpen.withLock { $0 = true }
                _ = try await first
                _ = try await transport.latest()
                #expect(
                    server.requests.map { $0.field("Authorization") } == [
                        "Bearer \(upstreamTestKey)", "Bearer other",
                    ])
            })
    }

    @Test(
        "a key of other than visible ASCII characters is refused, and the old one stays",
        arguments: ["", " ", "a b", "a\n", "a\r\nX: y", "ä", "\u{7F}"])
    func badKey(key: String) async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            #expect(throws: UpstreamError.invalidKey) { try server.transport(key: Secret(key)) }
            let transport = try server.transport()
            #expect(throws: UpstreamError.invalidKey) { try transport.replaceKey(Secret(key)) }
            _ = try await transport.latest()
            #expect(server.requests.first?.field("Authorization") == "Bearer \(upstreamTestKey)")
        }
    }

    @Test(
        "an answer comes as it is, whatever its status", arguments: [200, 304, 401, 404, 429, 500, 503, 599])
    func statuses(status: Int) async throws {
        let body = status == 304 ? "" : #"{"result":"x"}"#
        try await RawHTTPServer.run([
            .json(body, status: "\(status) Any", fields: [("Retry-After", "7")])
        ]) { server in
            let answer = try await server.transport().latest()
            #expect(answer.status == status)
            #expect(answer.body == Array(body.utf8))
            #expect(answer[field: "retry-AFTER"] == "7")
            #expect(answer[field: "X-None"] == nil)
        }
    }

    @Test("fields that come more than once are joined, blanks around values are dropped")
    func fields() async throws {
        try await RawHTTPServer.run([
            .text(
                "HTTP/1.1 200 OK\r\nRetry-After: 1\r\nX-A:\t b \t\r\nretry-after:2\r\nX-Empty:\r\n"
                    + "Content-Length: 2\r\n\r\n{}"
            )
        ]) { server in
            let answer = try await server.transport().latest()
            #expect(answer[field: "Retry-After"] == "1, 2")
            #expect(answer[field: "X-A"] == "b")
            #expect(answer[field: "X-Empty"]?.isEmpty == true)
        }
    }

    @Test("interim answers are passed over, with their fields")
    func interim() async throws {
        try await RawHTTPServer.run([
            .text(
                "HTTP/1.1 103 Early\r\nX-A: early\r\n\r\nHTTP/1.1 200 OK\r\nX-B: late\r\n"
                    + "Content-Length: 2\r\n\r\n{}"
            )
        ]) { server in
            let answer = try await server.transport().latest()
            #expect(answer.status == 200)
            #expect(answer.fields == ["x-b": "late", "content-length": "2"])
        }
    }

    @Test("a chunked body comes whole, and its trailers are no fields")
    func chunked() async throws {
        try await RawHTTPServer.run([
            .text(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\nRetry-After: 9\r\n\r\n"
            )
        ]) { server in
            let answer = try await server.transport().latest()
            #expect(answer.body == Array("{}".utf8))
            #expect(answer[field: "Retry-After"] == nil)
        }
    }

    @Test("U9: a redirect is an answer, not followed; the key goes nowhere else")
    func redirect() async throws {
        try await RawHTTPServer.run([.json("{}")]) { other in
            for place in ["/v1/latest/EUR", other.url.absoluteString, "//evil.test/"] {
                try await RawHTTPServer.run([
                    .json("{}", status: "302 Found", fields: [("Location", place)])
                ]) { server in
                    let status = try await server.transport().latest().status
                    #expect(status == 302)
                    #expect(server.requests.count == 1)
                }
            }
            #expect(other.connections == 0)
        }
    }

    @Test(
        "C184, U9: no kind of redirect is followed, so the key goes to no other host and no loop begins",
        arguments: [
            (302, "http://other.test/v1/latest?base=USD"), (307, "/v1/latest/USD"), (308, "/v1/latest/USD"),
            (301, "http://127.0.0.1:1/v1/latest/USD"), (303, "https://other.test/"),
            (301, "ftp://other.test/"),
            (302, "http://127.0.0.1/"), (302, "\(upstreamTestKey)"), (300, "file:///etc/passwd"),
        ])
    func redirects(status: Int, place: String) async throws {
        let answer = RawHTTPServerStep.json("{}", status: "\(status) Else", fields: [("Location", place)])
        // The same answer for ever: a client that follows would go round.
        try await RawHTTPServer.run({ _, _ in [answer] }) { server in
            let found = try await server.transport().latest()
            #expect(found.status == status)
            #expect(server.requests.count == 1)
            #expect(server.connections == 1)
        }
    }

    @Test("C188: ten thousand fetches, twenty at a time, with answers broken off anywhere, end one by one")
    func manyBrokenOff() async throws {
        let whole = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        try await RawHTTPServer.run({ _, index in
            // Which one is cut and where follows from its number: some of each, in every place of the answer.
            let cut = index * 7_919 % (2 * whole.utf8.count)
            guard cut < whole.utf8.count else { return [.text(whole)] }
            return [.send(Array(whole.utf8.prefix(cut))), index % 2 == 0 ? .reset : .close]
        }) { server in
            let transport = try server.transport()
            let ends = await withTaskGroup(of: Bool.self) { group in
                var (started, good, bad) = (0, 0, 0)
                while good + bad < 10_000 {
                    while started < min(10_000, good + bad + 20) {
                        started += 1
                        group.addTask { await transport.failure() == nil }
                    }
                    guard let isGood = await group.next() else { break }
                    if isGood { good += 1 } else { bad += 1 }
                }
                return (good, bad)
            }
            #expect(ends.0 + ends.1 == 10_000)
            #expect(ends.0 > 3_000 && ends.1 > 3_000, "\(ends)")
            #expect(server.requests.count == 10_000, "none is asked for twice")
            #expect(await eventually(within: .seconds(10)) { server.openConnections == 0 })
        }
    }

    @Test("a password that is asked for is not offered, and nobody waits for it")
    func basic() async throws {
        try await RawHTTPServer.run([
            .json("{}", status: "401 No", fields: [("WWW-Authenticate", "Basic realm=\"x\"")])
        ]) { server in
            let status = try await server.transport().latest().status
            #expect(status == 401)
            #expect(server.requests.count == 1)
        }
    }

    @Test("cookies are neither kept nor sent, nothing is cached")
    func forgetful() async throws {
        let fields = [
            ("Set-Cookie", "a=b; Path=/"), ("Cache-Control", "public, max-age=3600"), ("ETag", "\"x\""),
        ]
        try await RawHTTPServer.run([.json("{}", fields: fields)]) { server in
            let transport = try server.transport()
            for _ in 0..<2 { _ = try await transport.latest() }
            #expect(server.requests.map { $0.field("Cookie") } == [nil, nil])
            #expect(server.requests.map { $0.field("If-None-Match") } == [nil, nil])
        }
    }

    @Test(
        "C176: each request has its own connection, so that none meets one that upstream has closed; none is repeated"
    )
    func noRepetition() async throws {
        try await RawHTTPServer.run([.json("{}")], [.json("{}")], [.reset], [.close]) { server in
            let transport = try server.transport()
            for _ in 0..<2 { #expect(try await transport.latest().status == 200) }
            #expect(await transport.failure() == .connectionLost)
            #expect(await transport.failure() == .connectionLost)
            #expect(server.requests.count == 4)
            #expect(server.connections == 4)
            #expect(await eventually(within: .seconds(10)) { server.openConnections == 0 })
        }
    }

    @Test("a content coding that nobody asked for stays as it is")
    func coded() async throws {
        let bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 1]
        let answer = RawHTTPServerStep.answer(fields: [("Content-Encoding", "gzip")], body: bytes)
        try await RawHTTPServer.run([answer]) { server in
            let body = try await server.transport().latest().body
            #expect(body == bytes)
        }
    }

    @Test("P8: neither the transport nor its errors show the key")
    func hidesKey() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let transport = try server.transport()
            var text = "\(transport)"
            dump(transport, to: &text)
            #expect(!text.contains("SECRET"))
        }
    }
}
