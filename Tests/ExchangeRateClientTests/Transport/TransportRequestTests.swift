import ExchangeRateClient
import Foundation
import TestSupport
import Testing

@Suite("Requests of the transport", .timeLimit(.minutes(3)))
struct TransportRequestTests {
    @Test("path and query are sent as they stand, encoded once")
    func requestLine() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let query = [("symbols", "EUR,GBP"), ("cursor", "a b&c=d/é+%")]
            _ = try await server.transport().get(
                path: "/v1/convert/USD/EUR/1%2E5", query: query, deadline: .seconds(30))
            let line = server.requests.first?.line
            let encoded = "symbols=EUR,GBP&cursor=a%20b%26c%3Dd%2F%C3%A9%2B%25"
            #expect(line == "GET /v1/convert/USD/EUR/1%2E5?\(encoded) HTTP/1.1")
        }
    }

    @Test("a base URL with a path and a trailing slash keeps the path")
    func prefix() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let base = server.url.appending(path: "fx/")
            _ = try await RawTransport(baseURL: base, apiKey: nil).latest()
            #expect(server.requests.first?.line == "GET /fx/v1/latest/USD HTTP/1.1")
        }
    }

    @Test("the header names the key, the sender and no coding")
    func fields() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let transport = try RawTransport(
                baseURL: server.url, apiKey: secretKey, userAgent: "fxgateway/9 (test)")
            _ = try await transport.latest()
            let request = try #require(server.requests.first)
            #expect(request.field("Authorization") == "Bearer \(secretKey)")
            #expect(request.field("User-Agent") == "fxgateway/9 (test)")
            #expect(request.field("Accept-Encoding") == "identity")
            #expect(request.field("Accept") == "application/json")
            #expect(request.field("Host") == "127.0.0.1:\(server.port)")
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
    func replaceKey() async throws {
        let slow: [RawHTTPServerStep] = [.wait(.milliseconds(300)), .json("{}")]
        try await RawHTTPServer.run(slow, [.json("{}")]) { server in
            let transport = try server.transport(key: "old")
            async let first = transport.latest()
            #expect(await eventually { server.requests.count == 1 })
            try transport.replaceKey("new")
            let second = try await transport.latest()
            let slowAnswer = try await first
            #expect(slowAnswer.status == 200 && second.status == 200)
            try transport.replaceKey(nil)
            _ = try await transport.latest()
            let keys = server.requests.map { $0.field("Authorization") }
            #expect(keys == ["Bearer old", "Bearer new", nil])
        }
    }

    static let badKeys = ["", " ", "a b", "key\n", "key\r\nX-Evil: 1", "\u{7F}key", "schlüssel", "key\0"]

    @Test("a key that can't be sent is refused, and the old one stays", arguments: badKeys)
    func badKey(key: String) async throws {
        let base = try closedPort()
        #expect(throws: TransportError.invalidKey) { _ = try RawTransport(baseURL: base, apiKey: key) }
        try await RawHTTPServer.run([.json("{}")]) { server in
            let transport = try server.transport(key: "old")
            #expect(throws: TransportError.invalidKey) { try transport.replaceKey(key) }
            _ = try await transport.latest()
            #expect(server.requests.first?.field("Authorization") == "Bearer old")
        }
    }

    @Test(
        "a base URL that is none is refused",
        arguments: [
            "ftp://host", "file:///v1", "host", "http://", "https://user@host", "https://u:p@host",
            "https://host?a=b",
            "https://host#f",
        ])
    func badBase(text: String) throws {
        let base = try parsedURL(text)
        #expect(throws: TransportError.invalidURL) { _ = try RawTransport(baseURL: base, apiKey: nil) }
    }

    @Test(
        "a path outside /v1/ or not encoded is refused before the gate is asked",
        arguments: [
            "", "/", "/v2/latest", "v1/latest", "/v1/a b", "/v1/ä", "/v1/a?b", "/v1/a#b", "/v1/../v2",
            "/v1/./a",
            "/v1/a\r\nX: y", "/v1/a\\b", "/v1/%zz",
        ])
    func badPath(path: String) async throws {
        let transport = try RawTransport(baseURL: closedPort(), apiKey: nil)
        await #expect(throws: TransportError.invalidURL) {
            _ = try await transport.get(
                path: path, deadline: .seconds(5),
                gate: {
                    Issue.record("the gate was asked")
                    return false
                })
        }
    }

    @Test("cookies are neither kept nor sent")
    func cookies() async throws {
        let fields = [("Set-Cookie", "a=b; Path=/")]
        try await RawHTTPServer.run([.json("{}", fields: fields)]) { server in
            let transport = try server.transport()
            for _ in 0..<2 { _ = try await transport.latest() }
            #expect(server.requests.map { $0.field("Cookie") } == [nil, nil])
        }
    }

    @Test("nothing is cached, however cacheable it says it is")
    func noCache() async throws {
        let fields = [("Cache-Control", "public, max-age=3600"), ("ETag", "\"x\"")]
        try await RawHTTPServer.run([.json("{}", fields: fields)]) { server in
            let transport = try server.transport()
            for _ in 0..<2 { _ = try await transport.latest() }
            #expect(server.requests.map { $0.field("If-None-Match") } == [nil, nil])
        }
    }

    @Test("one connection serves requests one after the other")
    func reuse() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let transport = try server.transport()
            for _ in 0..<10 { _ = try await transport.latest() }
            #expect(server.requests.count == 10)
            #expect(server.connections == 1)
        }
    }

    @Test("a reused connection that closes before any byte costs one quiet retry on a fresh one")
    func quietRetry() async throws {
        try await RawHTTPServer.run([.json("1")], [.close], [.json("3")]) { server in
            let transport = try server.transport()
            _ = try await transport.latest()
            let answer = try await transport.latest()
            #expect(String(decoding: answer.body, as: UTF8.self) == "3")
            #expect(server.requests.map(\.connection) == [0, 0, 1])
        }
    }

    @Test("a fresh connection that closes before any byte is not tried again")
    func noRetry() async throws {
        try await RawHTTPServer.run([.close], [.json("2")]) { server in
            let failure = try await server.transport().failure()
            #expect(failure == .connectionLost)
            #expect(server.requests.count == 1)
        }
    }

    @Test("the transport shows nothing of its inside")
    func hidesKey() async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let transport = try server.transport()
            #expect(!dumped(transport).contains("SECRET"))
            #expect(!"\(transport)".contains("SECRET"))
        }
    }
}
