import TestSupport
import Testing
import UpstreamSimulator

@Suite("A proxy that holds one direction", .timeLimit(.minutes(3)))
struct TCPProxyHoldTests {
    private static let request = "GET /v1/latest/EUR HTTP/1.1\r\nHost: upstream\r\n\r\n"

    /// Runs `body` with a simulated upstream behind a proxy, and a client of it.
    private func run(_ body: (Simulator, TCPProxy, RawHTTPClient) async throws -> Void) async throws {
        let simulator = try Simulator(configuration: SimulatorConfiguration())
        try simulator.start()
        let proxy = try TCPProxy(to: Int(simulator.port))
        try await body(simulator, proxy, try RawHTTPClient(port: UInt16(proxy.port)))
        await proxy.stop()
        await simulator.stop()
    }

    @Test("towards the server, the marked request waits until it is released, and others pass")
    func toServer() async throws {
        try await run { simulator, proxy, client in
            await proxy.hold(.toServer, after: "/v1/latest/EUR")
            try client.send(Self.request)
            #expect(await eventually(within: .seconds(5)) { proxy.holding == 1 })
            let other = try RawHTTPClient(port: UInt16(proxy.port))
            #expect(try other.exchange(Self.request.replacing("EUR", with: "USD")).status == 200)
            #expect(simulator.log.map(\.target) == ["/v1/latest/USD"])
            await proxy.release()
            #expect(proxy.holding == 0)
            #expect(try client.answers(1).answers.map(\.status) == [200])
            #expect(simulator.calls == 2)
        }
    }

    @Test(
        "towards the client, the server has done it and the answer waits, also if the marker came in pieces")
    func toClient() async throws {
        try await run { simulator, proxy, client in
            await proxy.hold(.toClient, after: "/v1/latest/EUR")
            try client.send(Self.request.utf8.prefix(12))
            // The first piece has gone through once this one has come back.
            let other = try RawHTTPClient(port: UInt16(proxy.port))
            #expect(try other.exchange(Self.request.replacing("EUR", with: "USD")).status == 200)
            #expect(proxy.holding == 0)
            try client.send(Self.request.utf8.dropFirst(12))
            #expect(await eventually(within: .seconds(5)) { simulator.calls == 2 })
            #expect(proxy.holding == 1)
            #expect(client.read(within: .milliseconds(100)) { !$0.isEmpty } == .timedOut)
            await proxy.release()
            #expect(try client.answers(1).answers.map(\.status) == [200])
        }
    }

    @Test("what is held passes at the moment from which another marker is looked for")
    func passed() async throws {
        try await run { simulator, proxy, client in
            await proxy.hold(.toServer, after: "/v1/latest/EUR")
            try client.send(Self.request)
            #expect(await eventually(within: .seconds(5)) { proxy.holding == 1 })
            await proxy.pass(thenHold: .toServer, after: "/v1/latest/USD")
            #expect(try client.answers(1).answers.map(\.status) == [200])
            try client.send(Self.request.replacing("EUR", with: "USD"))
            #expect(await eventually(within: .seconds(5)) { proxy.holding == 1 })
            #expect(simulator.log.map(\.target) == ["/v1/latest/EUR"])
            await proxy.release()
            #expect(try client.answers(1).answers.map(\.status) == [200])
        }
    }

    @Test("what is held when the proxy ends is never delivered")
    func ended() async throws {
        try await run { simulator, proxy, client in
            await proxy.hold(.toServer, after: "/v1/latest/EUR")
            try client.send(Self.request)
            #expect(await eventually(within: .seconds(5)) { proxy.holding == 1 })
            client.close()
            await proxy.reset()
            #expect(proxy.holding == 0)
            let other = try RawHTTPClient(port: UInt16(proxy.port))
            #expect(try other.exchange(Self.request.replacing("EUR", with: "USD")).status == 200)
            #expect(simulator.log.map(\.target) == ["/v1/latest/USD"])
        }
    }
}
