import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("Trace parents in the log", .timeLimit(.minutes(3)))
struct TraceParentTests {
    private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    /// Texts that differ in one thing each, and whether they are good.
    private static let forms: [(String, Bool)] = {
        let rest = String(good.dropFirst(2))
        let zeros = String(repeating: "0", count: 32)
        var forms: [(String, Bool)] = [(good, true), (good.replacing("-01", with: "-00"), true)]
        forms += [(good + "-", false), (good + "0", false), (String(good.dropLast()), false)]
        forms += [("01" + rest, true), ("01" + rest + "-later", true), ("01" + rest + "x", false)]
        forms += [("ff" + rest, false), (good.uppercased(), false), ("", false), (" " + good, false)]
        forms += [("00-\(zeros)-00f067aa0ba902b7-01", false)]
        forms += [("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false)]
        forms += [(good.replacing("-", with: "_"), false), (good.replacing("a", with: "g"), false)]
        return forms
    }()

    @Test("one is taken if the recommendation says so, byte by byte", arguments: forms)
    func form(text: String, isTaken: Bool) {
        let parent = TraceParent(bytes: Array(text.utf8))
        #expect((parent != nil) == isTaken)
        if let parent { #expect(text.hasPrefix(parent.text)) }
    }

    private func lines(_ rig: GatewayRig) throws -> [[String: String]] {
        try rig.logged.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        }
    }

    @Test("the line of a request has its id and its trace's parent, and none where there is no good one")
    func accessLog() async throws {
        try await GatewayRig.run(accessLog: .oneIn(1)) { rig in
            await rig.hold(SampleTable.usd)
            let id = "X-Request-Id: my-request.7"
            _ = try rig.ask("/v1/latest", fields: [id, "traceparent: \(Self.good)"])
            _ = try rig.ask("/nothing", fields: [id, "Traceparent: \(Self.good)"])
            _ = try rig.ask("/v1/latest", fields: [id])
            _ = try rig.ask("/v1/latest", fields: [id, "traceparent: \(Self.good)x"])
            _ = try rig.ask(
                "/v1/latest", fields: [id, "traceparent: \(Self.good)", "traceparent: \(Self.good)"])
            let lines = try lines(rig)
            #expect(lines.map { $0["traceparent"] } == [Self.good, Self.good, nil, nil, nil])
            #expect(lines.allSatisfy { $0["request_id"] == "my-request.7" })
        }
    }

    @Test("an operator's order is in the log with its request's id, also without an access log")
    func operators() async throws {
        try await GatewayRig.run(token: "let-me-in") { rig in
            await rig.hold(SampleTable.usd)
            let fields = [
                "Authorization: Bearer let-me-in", "X-Request-Id: op-1", "traceparent: \(Self.good)",
            ]
            _ = try rig.ask("/admin/cooldown", method: "DELETE", fields: fields)
            _ = try rig.ask("/admin/cooldown", method: "DELETE", fields: ["X-Request-Id: op-2"])
            let lines = try lines(rig).filter { $0["message"] == "an operator's order was carried out" }
            #expect(lines.map { $0["request_id"] } == ["op-1"])
            #expect(lines.first?["traceparent"] == Self.good)
            #expect(lines.first?["level"] == "notice" && lines.first?["status"] != nil)
        }
    }
}
