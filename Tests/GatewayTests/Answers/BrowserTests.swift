import EventLoop
import TestSupport
import Testing

@testable import FXGateway

/// What a web page could have its reader's browser do.
@Suite("Requests of a browser", .timeLimit(.minutes(3)))
struct BrowserTests {
    @Test(
        "no route changes anything by GET or HEAD, token or not, and none lets a strange origin read an answer"
    )
    func safeMethods() async throws {
        try await GatewayRig.run(token: "t-TEST-1", corsOrigins: ["https://a.test"]) { rig in
            await rig.hold(SampleTable.usd)
            let fields = ["Authorization: Bearer t-TEST-1", "Origin: https://evil.test"]
            for target in [
                "/admin/refresh/USD", "/admin/refresh/USD?force=true", "/admin/cooldown?scope=short",
                "/admin/cache/USD", "/admin/quarantine/USD-EUR/accept", "/v1/convert",
            ] {
                for method in ["GET", "HEAD"] {
                    let answer = try rig.ask(target, method: method, fields: fields)
                    #expect(answer.status == 405 || answer.status == 404, "\(method) \(target)")
                    #expect(answer.field("access-control-allow-origin") == nil)
                }
            }
            #expect(rig.refreshes.withLock { $0.isEmpty })
            #expect(rig.orders.withLock { $0.isEmpty })
            // By their own methods they are there: what was refused above is not a slip of the path.
            #expect(try rig.ask("/admin/refresh/USD", method: "OPTIONS").status == 204)
            for target in ["/v1/latest?symbols=EUR", "/v1/status", "/admin/refresh/USD"] {
                let preflight = try rig.ask(
                    target, method: "OPTIONS",
                    fields: ["Origin: https://evil.test", "Access-Control-Request-Method: POST"])
                #expect(preflight.field("access-control-allow-origin") == nil, "\(target)")
            }
        }
    }
}
