import Glibc
import TestSupport
import Testing

@testable import FXGateway

@Suite("Hostile requests", .timeLimit(.minutes(4)))
struct HostileRequestTests {
    /// What answers came to these bytes until the end of the connection or silence, and whether it ended.
    private func answers(_ rig: GatewayRig, _ bytes: [UInt8]) throws -> (statuses: [Int], isClosed: Bool) {
        let client = try rig.client()
        // A server that has refused already may have closed.
        try? client.send(bytes)
        let answers = try client.answers(9, within: .milliseconds(300)).answers
        return (answers.map(\.status), client.isClosedByServer(within: .milliseconds(500)))
    }

    @Test(
        "C166: a body where none is taken, and one with a bad length, gets one refusal and the end",
        arguments: [
            ("Content-Length: 36\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\nxx", 413),
            (
                "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
                413
            ),
            ("Transfer-Encoding: chunked\r\n\r\ng\r\nhello\r\n0\r\n\r\n", 413),
            ("Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nhello", 413),
        ])
    func bodies(rest: String, status: Int) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            for line in ["GET /v1/latest", "POST /v1/latest", "POST /v1/convert"] {
                let found = try answers(
                    rig, Array("\(line) HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\(rest)".utf8))
                // Where a body is taken it is read to its end: one that is well-formed is no JSON, and what follows is a request.
                if line == "POST /v1/convert" {
                    #expect([[400], [400, 200], [413]].contains(found.statuses), "\(found)")
                    continue
                }
                #expect(found.statuses == [status] || found.statuses == [400], "\(line): \(found)")
                #expect(found.isClosed)
            }
        }
    }

    @Test(
        "C172: an expectation is met where a body is taken, unknown ones are 417, and HTTP/1.0 has none",
        arguments: [
            ("GET /healthz HTTP/1.1\r\nExpect: 100-continue\r\n", [200]),
            ("GET /healthz HTTP/1.1\r\nExpect: something-else\r\n", [417]),
            ("POST /v1/convert HTTP/1.1\r\nExpect: something-else\r\nContent-Length: 2\r\n", [417]),
            ("POST /v1/convert HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n", [100]),
            ("POST /v1/latest HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n", [413]),
            ("POST /v1/convert HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n", [413]),
            ("GET /healthz HTTP/1.0\r\nExpect: 100-continue\r\n", [200]),
            ("GET /healthz HTTP/1.0\r\nExpect: something-else\r\n", [200]),
        ])
    func expectations(head: String, statuses: [Int]) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let client = try rig.client()
            try client.send("\(head)Host: a\r\n\r\n")
            let first = try client.answers(1, within: .seconds(5)).answers
            #expect(first.map(\.status) == statuses)
            guard statuses == [100] else { return }
            // Then, and only then, the final one.
            #expect(client.read(within: .milliseconds(50)) { !$0.isEmpty } == .timedOut)
            try client.send("{}")
            #expect(try client.answers(1).answers.map(\.status) == [400])
        }
    }

    @Test("C178: pipelined answers keep their order though one waits; what follows a refusal is answered too")
    func pipelined() async throws {
        try await GatewayRig.run { rig in
            let client = try rig.client()
            let fast = GatewayRig.request("/healthz")
            let slow = GatewayRig.request("/v1/latest?symbols=EUR")
            let bad = GatewayRig.request("/v1/latest?symbols=")
            try client.send(fast + slow + bad + String(fast.dropLast(3)))
            #expect(try client.answers(1).answers.map(\.status) == [200])
            await rig.waiting(atLeast: 1)
            #expect(client.read(within: .milliseconds(50)) { !$0.isEmpty } == .timedOut)
            await rig.hold(SampleTable.usd)
            #expect(try client.answers(2).answers.map(\.status) == [200, 400])
            // The half request is no request yet, and a whole one once its end has come.
            #expect(client.read(within: .milliseconds(50)) { !$0.isEmpty } == .timedOut)
            try client.send(String(fast.suffix(3)))
            #expect(try client.answers(1).answers.map(\.text) == ["ok\n"])
        }
    }

    @Test(
        "C179: heads without measure and with what no head may hold are refused, and cost no memory",
        arguments: [
            ("a field of 1 MB", [431]), ("10,000 fields", [431]), ("a target of 1 MB", [414]),
            ("a name with blanks", [400]), ("a bare CR", [400]), ("a NUL", [400]),
        ] as [(String, [Int])])
    func heads(name: String, statuses: [Int]) async throws {
        let start = "GET /healthz HTTP/1.1\r\nHost: a\r\n"
        let head =
            switch name {
            case "a field of 1 MB": start + "X: " + String(repeating: "x", count: 1 << 20) + "\r\n\r\n"
            case "10,000 fields": start + (0..<10_000).map { "X\($0): a\r\n" }.joined() + "\r\n"
            case "a target of 1 MB":
                "GET /" + String(repeating: "x", count: 1 << 20) + " HTTP/1.1\r\nHost: a\r\n\r\n"
            case "a name with blanks": start + "X Y: a\r\n\r\n"
            case "a bare CR": start + "X: a\rb\r\n\r\n"
            default: start + "X: a\u{0}b\r\n\r\n"
            }
        try await GatewayRig.run { rig in
            for _ in 0..<5 { _ = try answers(rig, Array(head.utf8)) }
            let before = ProcessMemory.residentBytes()
            for _ in 0..<30 {
                let found = try answers(rig, Array(head.utf8))
                #expect(found.statuses == statuses, "\(found)")
                #expect(found.isClosed)
            }
            // Thirty megabytes have come in.
            #expect(ProcessMemory.residentBytes() - before < 8 << 20)
            #expect(try rig.ask("/healthz").status == 200)
        }
    }

    @Test(
        "C162: bytes that are no text are refused by the path and the query, never a 5xx",
        arguments: [
            "/%C0%80", "/%e3h", "/v1/latest?symbols=%FF", "/v1/latest?symbols=%ED%A0%80", "/%00",
            "/v1/latest/%u0045",
            "/v1/latest?symbols=%", "/v1/latest/%E2%82%AC%E2%82%AC%E2%82%AC",
            "/v1/latest?symbols=%EF%BC%A5UR",
            "/v1/rate/\u{65}%75r-%C4%B1nr",
        ])
    func encodings(target: String) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let answer = try rig.ask(target)
            #expect([400, 404].contains(answer.status), "\(answer.status)")
            #expect(answer.body.allSatisfy { (0x20...0x7E).contains($0) })
        }
    }
}
