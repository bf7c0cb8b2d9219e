import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

@Suite("Simulator over a socket", .timeLimit(.minutes(3)))
struct SimulatorSocketTests {
    private func withSimulator(
        _ change: (inout SimulatorConfiguration) -> Void = { _ in },
        _ body: (Simulator) async throws -> Void
    ) async throws {
        var configuration = SimulatorConfiguration()
        configuration.clock = try SimulatorBench.time("2026-10-28T10:00:00Z")
        configuration.isFrozen = true
        change(&configuration)
        let simulator = try Simulator(configuration: configuration)
        try simulator.start()
        do {
            try await body(simulator)
        } catch {
            await simulator.stop()
            throw error
        }
        await simulator.stop()
    }

    private func client(_ simulator: Simulator) throws -> RawHTTPClient {
        try RawHTTPClient(port: UInt16(simulator.port))
    }

    private func request(_ target: String, method: String = "GET", body: String = "") -> String {
        let length = method == "POST" ? "Content-Length: \(body.utf8.count)\r\n" : ""
        return
            "\(method) \(target) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer exr_live_x\r\n\(length)\r\n\(body)"
    }

    /// One exchange and its time.
    private func timed(_ client: RawHTTPClient) throws -> (answer: RawHTTPClient.Answer, time: Duration) {
        let start = ContinuousClock.now
        let answer = try client.exchange(request("/v1/latest/USD"))
        return (answer, ContinuousClock.now - start)
    }

    @Test("answers, conversions and control come over one connection")
    func plain() async throws {
        try await withSimulator { simulator in
            let client = try client(simulator)
            let latest = try client.exchange(request("/v1/latest/USD?symbols=EUR"))
            #expect(latest.status == 200)
            #expect(latest.field("date") == "Wed, 28 Oct 2026 10:00:00 GMT")
            #expect(latest.field("content-type") == "application/json")
            #expect(latest.text.hasPrefix("{\"result\":\"success\",\"base\":\"USD\""))
            let order = #"{"from":"USD","pairs":[["EUR",120]]}"#
            #expect(try client.exchange(request("/v1/convert", method: "POST", body: order)).status == 200)
            let log = try client.exchange(request("/control/log"))
            let object = try JSONSerialization.jsonObject(with: Data(log.body)) as? [String: Any]
            let entries = try #require(object?["entries"] as? [[String: Any]])
            #expect(entries.count == 2)
            #expect(entries[0]["connection"] as? Int == entries[1]["connection"] as? Int)
            #expect(entries[0]["authorized"] as? Bool == true)
            #expect(try client.exchange(request("/elsewhere")).status == 404)
            #expect(simulator.calls == 2)
            #expect(simulator.log.map(\.status) == [200, 200])
        }
    }

    @Test("a script is posted over the wire and acts on the next calls")
    func script() async throws {
        try await withSimulator { simulator in
            let client = try client(simulator)
            let script = #"{"faults":[{"status":503,"times":2,"headers":{"Retry-After":"30"}}]}"#
            #expect(
                try client.exchange(request("/control/script", method: "POST", body: script)).status == 200)
            for status in [503, 503, 200] {
                #expect(try client.exchange(request("/v1/latest/USD")).status == status)
            }
            #expect(simulator.counts.byStatus == [503: 2, 200: 1])
        }
    }

    @Test("a delay comes before the head, latency before every answer")
    func delay() async throws {
        try await withSimulator({ $0.latency = .milliseconds(30) }) { simulator in
            var fault = Fault()
            fault.delay = .milliseconds(120)
            simulator.script(fault)
            let client = try client(simulator)
            let slow = try timed(client)
            #expect(slow.answer.status == 200 && slow.time >= .milliseconds(150))
            let quick = try timed(client)
            #expect(quick.answer.status == 200 && quick.time >= .milliseconds(30))
            #expect(simulator.counts.inFlight == 0)
        }
    }

    @Test("a drip brings the whole body in pieces, and the connection lives on")
    func drip() async throws {
        try await withSimulator { simulator in
            try simulator.script(json: #"{"drip":{"bytes":200,"every":10}}"#)
            try simulator.script(
                json: #"{"body":"0123456789","drip":{"bytes":40,"every":15},"dripHead":true}"#)
            let client = try client(simulator)
            let whole = try client.exchange(request("/v1/latest/USD"))
            #expect(whole.body.count == Int(whole.field("content-length") ?? ""))
            let slow = try timed(client)
            #expect(slow.answer.text == "0123456789" && slow.time >= .milliseconds(45))
            #expect(try client.exchange(request("/v1/latest/USD")).status == 200)
            #expect(simulator.counts.inFlight == 0)
        }
    }

    @Test(
        "a truncated body keeps its full length and ends as the script says",
        arguments: [
            (nil, RawHTTPClient.End.closed), (Fault.Ending.close, .closed), (.reset, .reset),
            (.hang, .timedOut),
        ] as [(Fault.Ending?, RawHTTPClient.End)])
    func truncate(ending: Fault.Ending?, end: RawHTTPClient.End) async throws {
        try await withSimulator { simulator in
            var fault = Fault()
            fault.truncate = 20
            fault.ending = ending
            simulator.script(fault)
            let client = try client(simulator)
            try client.send(request("/v1/latest/USD"))
            #expect(client.read(within: end == .timedOut ? .milliseconds(400) : .seconds(10)) == end)
            let text = String(decoding: client.pending, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("\r\n\r\n{\"result\":\"success\","))
            #expect(!text.contains("Content-Length: 20\r\n"))
        }
    }

    @Test(
        "a call that gets no answer ends in a close, a reset, or silence",
        arguments: [
            (Fault.Ending.close, RawHTTPClient.End.closed), (.reset, .reset), (.hang, .timedOut),
        ])
    func silent(ending: Fault.Ending, end: RawHTTPClient.End) async throws {
        try await withSimulator { simulator in
            var fault = Fault()
            fault.ending = ending
            simulator.script(fault)
            let client = try client(simulator)
            try client.send(request("/v1/latest/USD"))
            #expect(client.read(within: end == .timedOut ? .milliseconds(200) : .seconds(10)) == end)
            #expect(client.pending.isEmpty)
            #expect(simulator.counts.byStatus == [0: 1])
            #expect(simulator.counts.inFlight == (ending == .hang ? 1 : 0))
            client.close()
            #expect(try await eventually { simulator.counts.inFlight == 0 })
        }
    }

    @Test("odd heads go out as scripted: status, own length, raw bytes, redirect, a flood of fields")
    func heads() async throws {
        try await withSimulator { simulator in
            try simulator.script(
                json: """
                    [{"status":304}, {"redirect":"http://other.test/v1/latest"},
                     {"body":"abc","headers":{"Content-Length":"9"}}, {"raw":"HTTP/1.1 2oo OK\\r\\n\\r\\n"},
                     {"fillerFields":300}, {"gzipBomb":1000000}, {"status":799,"body":"?"}]
                    """)
            var client = try client(simulator)
            #expect(try client.exchange(request("/v1/latest/USD")).status == 304)
            let redirect = try client.exchange(request("/v1/latest/USD"))
            #expect(redirect.status == 302)
            #expect(redirect.field("location") == "http://other.test/v1/latest")
            try client.send(request("/v1/latest/USD"))
            #expect(client.read() == .closed)
            #expect(String(decoding: client.pending, as: UTF8.self).hasSuffix("Content-Length: 9\r\n\r\nabc"))
            client = try self.client(simulator)
            try client.send(request("/v1/latest/USD"))
            #expect(client.read() == .closed)
            #expect(String(decoding: client.pending, as: UTF8.self) == "HTTP/1.1 2oo OK\r\n\r\n")
            client = try self.client(simulator)
            #expect(try client.exchange(request("/v1/latest/USD")).fields.count > 300)
            let bomb = try client.exchange(request("/v1/latest/USD"))
            #expect(bomb.field("content-encoding") == "gzip")
            #expect(bomb.body.count < 10_000)
            #expect(try client.exchange(request("/v1/latest/USD")).status == 799)
        }
    }

    @Test("calls in flight are counted, each with how many there were")
    func concurrency() async throws {
        try await withSimulator { simulator in
            var fault = Fault(times: 8)
            fault.ending = .hang
            simulator.script(fault)
            let clients = try (0..<8).map { _ in try client(simulator) }
            for client in clients { try client.send(request("/v1/latest/USD")) }
            #expect(try await eventually { simulator.counts.inFlight == 8 })
            #expect(simulator.log.map(\.concurrent) == Array(1...8))
            #expect(Set(simulator.log.map(\.connection)).count == 8)
            for client in clients { client.close() }
            #expect(try await eventually { simulator.counts.inFlight == 0 })
            #expect(try client(simulator).exchange(request("/v1/latest/USD")).status == 200)
            #expect(simulator.counts.calls == 9 && simulator.counts.maxInFlight == 8)
        }
    }

    @Test("a client that leaves while it waits is no call in flight any more")
    func leaves() async throws {
        try await withSimulator({ $0.latency = .seconds(30) }) { simulator in
            let client = try client(simulator)
            try client.send(request("/v1/latest/USD"))
            #expect(try await eventually { simulator.counts.inFlight == 1 })
            client.close()
            #expect(try await eventually { simulator.counts.inFlight == 0 })
        }
    }

    @Test("the clock in-process is the clock over the wire")
    func clock() async throws {
        try await withSimulator { simulator in
            let client = try client(simulator)
            simulator.advanceClock(by: .seconds(6 * 3_600))
            let answer = try client.exchange(request("/v1/latest/EUR?symbols=USD"))
            #expect(answer.text.contains("\"data_updated_at\":\"2026-10-28T15:00:00Z\""))
            let body = #"{"now":"2026-06-16T10:00:00Z"}"#
            #expect(try client.exchange(request("/control/clock", method: "POST", body: body)).status == 200)
            #expect(simulator.now.text == "2026-06-16T10:00:00Z")
        }
    }

    @Test(
        "control is for this machine only",
        arguments: [
            ("127.0.0.1", true), ("127.8.8.8", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("unix", true),
            ("10.0.0.1", false), ("192.0.2.127", false), ("::ffff:10.0.0.1", false), ("fe80::1", false),
            ("", false),
        ])
    func thisMachine(peer: String, isTrusted: Bool) {
        var request = UpstreamRequest(target: "/control/log")
        request.peer = peer
        #expect(request.isFromThisMachine == isTrusted)
    }

    @Test("an address that is taken is an error with a reason")
    func taken() async throws {
        try await withSimulator { simulator in
            var configuration = SimulatorConfiguration()
            configuration.listen = "127.0.0.1:\(simulator.port)"
            let second = try Simulator(configuration: configuration)
            #expect(throws: SimulatorError.self) { try second.start() }
        }
    }

    @Test("the start line names address, mode and both days")
    func startLine() async throws {
        try await withSimulator { simulator in
            var configuration = SimulatorConfiguration()
            configuration.listen = "127.0.0.1:0"
            #expect(
                SimulateCommand.startLine(simulator, configuration)
                    == "simulated upstream on http://127.0.0.1:\(simulator.port), mode ecb, now 2026-10-28T10:00:00Z, "
                    + "shows the ECB fix of 2026-10-27 as 2026-10-27 (shift 0 weeks); stop with Ctrl-C or SIGTERM\n"
            )
        }
    }

    /// Polls what another thread brings about.
    private func eventually(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<200 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return condition()
    }
}
