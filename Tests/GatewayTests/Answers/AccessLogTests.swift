import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("Access log", .timeLimit(.minutes(3)))
struct AccessLogTests {
    /// The lines as objects; fails for one that is none.
    private func objects(_ lines: [String]) throws -> [[String: String]] {
        try lines.map { line in
            #expect(line.hasSuffix("\n") && line.count { $0.isNewline } == 1)
            return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        }
    }

    @Test(
        "the address is the peer's, and what a proxy noted only where the peer is a trusted one",
        arguments: [
            (nil, "127.0.0.1", nil), ("127.0.0.0/8", "192.0.2.1", "127.0.0.1"),
            ("10.0.0.0/8", "127.0.0.1", nil),
        ] as [(String?, String, String?)])
    func address(proxies: String?, address: String, proxy: String?) async throws {
        let proxies = proxies.flatMap { TrustedProxies($0) } ?? .none
        try await GatewayRig.run(accessLog: .oneIn(1), trustedProxies: proxies) { rig in
            await rig.hold(SampleTable.usd)
            for field in ["X-Forwarded-For: 1.1.1.1, 192.0.2.1", "forwarded: for=1.1.1.1, for=192.0.2.1"] {
                _ = try rig.ask("/v1/latest?symbols=EUR", fields: [field])
            }
            // Several fields of one name are one list.
            _ = try rig.ask(
                "/v1/latest?symbols=EUR", fields: ["X-Forwarded-For: 1.1.1.1", "X-FORWARDED-FOR: 192.0.2.1"])
            let lines = try objects(rig.logged)
            #expect(lines.map { $0["remote_address"] } == [address, address, address])
            #expect(lines.map { $0["proxy"] } == [proxy, proxy, proxy])
        }
    }

    @Test("what was not believed is counted by its reason")
    func counted() async throws {
        let proxies = try #require(TrustedProxies("127.0.0.1"))
        try await GatewayRig.run(accessLog: .oneIn(1), trustedProxies: proxies) { rig in
            _ = try rig.ask("/healthz", fields: ["X-Forwarded-For: nobody"])
            _ = try rig.ask("/healthz", fields: ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.2"])
            _ = try rig.ask("/healthz", fields: ["X-Forwarded-For: 192.0.2.1"])
            #expect(rig.waysIgnored(.malformed) == 1)
            #expect(rig.waysIgnored(.conflicting) == 1)
            #expect(rig.waysIgnored(.untrusted) == 0)
        }
        let others = try #require(TrustedProxies("10.0.0.1"))
        try await GatewayRig.run(accessLog: .oneIn(1), trustedProxies: others) { rig in
            _ = try rig.ask("/healthz", fields: ["X-Forwarded-For: 192.0.2.1"])
            #expect(rig.waysIgnored(.untrusted) == 1)
        }
    }

    @Test("C162, C164: nothing that a client sends begins a line, a field or an escape of its own")
    func injection() async throws {
        let proxies = try #require(TrustedProxies("127.0.0.1"))
        try await GatewayRig.run(accessLog: .oneIn(1), trustedProxies: proxies) { rig in
            await rig.hold(SampleTable.usd)
            let hostile = [
                #"","level":"error","x":""#, #"\",\"a\":\"b"#, "\u{1b}[31mred", "a\tb", "{\"a\":1}",
                "192.0.2.1\", \"admin\":\"yes", "é\u{2028}x", String(repeating: "A", count: 3_000),
            ]
            let names = [
                "X-Request-Id", "X-Client-Name", "X-Forwarded-For", "Forwarded", "User-Agent",
                "Authorization",
                "X-API-Key", "traceparent",
            ]
            var asked = 0
            for text in hostile {
                for name in names {
                    let answer = try rig.ask("/v1/latest?symbols=EUR", fields: ["\(name): \(text)"])
                    if answer.status != 400 { asked += 1 }
                    #expect(answer.field("x-request-id") != text)
                }
            }
            for target in [
                "/%0A%22x", "/v1/latest/%0d%0a", "/v1/latest?symbols=%22%0A", "/v1/%1b%5b", "/%00",
            ] {
                #expect([400, 404].contains(try rig.ask(target).status))
                asked += 1
            }
            let lines = try objects(rig.logged)
            #expect(lines.count == asked)
            let known: Set = [
                "time", "level", "message", "route", "status", "ms", "request_id", "client", "remote_address",
                "proxy",
            ]
            for line in lines {
                #expect(line["level"] == "info" && line["message"] == "request answered")
                #expect(Set(line.keys).subtracting(known).isEmpty, "\(line)")
                #expect(line["request_id"]?.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil)
                #expect(line["remote_address"]?.wholeMatch(of: /[0-9a-f.:]+/) != nil)
            }
            for line in rig.logged {
                #expect(line.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
            }
        }
    }
}
