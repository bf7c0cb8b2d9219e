import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// Where the build has no TLS, that is what these tests hold it to.
@Suite("Redis over TLS", .serialized, .timeLimit(.minutes(3)))
struct RedisTLSTests {
    @Test("works by name and by address, for commands and messages, with values of every size")
    func works() async throws {
        try await withServer { server, port, files in
            for host in ["localhost", "127.0.0.1"] {
                try await RedisFixture.withClient("rediss://\(host):\(port)?ca=\(files.authority)") {
                    client in
                    let value = [UInt8](repeating: 7, count: 3_000_000)
                    #expect(
                        await client.ask([Array("SET".utf8), Array("k".utf8), value])
                            == .success(.status("OK")))
                    #expect(await client.ask(["GET", "k"]) == .success(.string(value)))
                    let heard = AsyncStream<[UInt8]>.makeStream()
                    let states = AsyncStream<Bool>.makeStream()
                    client.subscribe(
                        channel: "c", onMessage: { heard.continuation.yield($0) },
                        onState: { states.continuation.yield($0) })
                    for await isUp in states.stream where isUp { break }
                    try server.cli("PUBLISH", "c", "hi")
                    for await body in heard.stream {
                        #expect(body == Array("hi".utf8))
                        break
                    }
                }
            }
        }
    }

    @Test("reconnects after the link is lost, and ends without a leak of links")
    func reconnects() async throws {
        try await withServer { server, port, files in
            try await RedisFixture.withClient(
                "rediss://localhost:\(port)?ca=\(files.authority)", timeouts: RedisFixture.eager
            ) { client in
                for round in 1...5 {
                    try server.cli("CLIENT", "KILL", "TYPE", "normal")
                    try await RedisFixture.eventually {
                        client.health.isConnected && client.health.reconnects.value == round
                    }
                    #expect(await client.ask(["PING"]) == .success(.status("PONG")))
                }
                #expect(RedisFixture.descriptors(to: port).count == 1)
            }
            #expect(RedisFixture.descriptors(to: port).isEmpty)
        }
    }

    @Test("R15: refuses another authority, another name and a server without TLS: said once, and no storm")
    func refused() async throws {
        try await withServer { server, port, files in
            for url in [
                "rediss://localhost:\(port)?ca=\(files.stranger)", "rediss://localhost:\(port)",
                "rediss://other.test:\(port)?ca=\(files.authority)",
                "rediss://localhost:\(server.port)?ca=\(files.authority)",
            ] {
                let log = RedisLog()
                try await RedisFixture.withClient(
                    url, timeouts: RedisFixture.brisk, logger: log.logger(), waits: false,
                    lookUp: { _ in ["127.0.0.1"] }
                ) { client in
                    try await RedisFixture.eventually { client.health.failures.value >= 2 }
                    #expect(!client.health.isConnected)
                    #expect([.tlsRefused, .connectTimedOut].contains(client.health.lastEnd), "\(url)")
                }
                #expect(log.lines.count { $0.contains("certificate is not accepted") } <= 1)
            }
        }
    }

    @Test("shows a certificate of its own where the server asks for one")
    func clientCertificate() async throws {
        try await withServer(asksClient: true) { _, port, files in
            let base = "rediss://localhost:\(port)?ca=\(files.authority)"
            let own = "&cert=\(files.clientCertificate)&key=\(files.clientKey)"
            try await RedisFixture.withClient(base + own) { client in
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
            }
            try await RedisFixture.withClient(base, timeouts: RedisFixture.brisk, waits: false) { client in
                try await RedisFixture.eventually { client.health.failures.value >= 1 }
                #expect(!client.health.isConnected)
            }
        }
    }

    @Test("a file that can't be used is refused at the start, by the parameter's name")
    func badFiles() async throws {
        guard RedisTLS.isBuiltIn else { return try Self.expectRefusal() }
        let files = try await RedisTLSFixture()
        for (query, part) in [
            ("ca=/nowhere", RedisURLError.Part.authorities), ("ca=\(files.clientKey)", .authorities),
            ("cert=/nowhere&key=\(files.clientKey)", .certificate),
            ("cert=\(files.clientCertificate)&key=/nowhere", .key),
            ("cert=\(files.clientCertificate)&key=\(files.directory)/server.key", .key),
        ] {
            let endpoint = try RedisEndpoint(url: "rediss://h?" + query)
            #expect(throws: RedisURLError.badFile(part)) { try RedisTLS(endpoint.extras) }
        }
    }

    /// Without TLS in the build the start fails with a clear word.
    private static func expectRefusal() throws {
        let endpoint = try RedisEndpoint(url: "rediss://h")
        #expect(throws: RedisURLError.tlsUnavailable(hiredisMajor: 0)) { try endpoint.checkSupported() }
    }

    private func withServer(
        asksClient: Bool = false, _ body: (RedisServer, Int, RedisTLSFixture) async throws -> Void
    ) async throws {
        guard RedisTLS.isBuiltIn else { return try Self.expectRefusal() }
        let files = try await RedisTLSFixture()
        let port = try TCPProxySocket.freePort()
        let settings = files.settings(port: port, asksClient: asksClient)
        try await withRedisServer(RedisServer.Options(settings: settings)) { try await body($0, port, files) }
    }
}
