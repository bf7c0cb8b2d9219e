import TestSupport
import Testing

extension FleetTests {
    @Suite("Hot answers while Redis is in trouble")
    struct Calm {
        @Test(
            "R2, R3, R4, R7, R11: no trouble of Redis slows hot answers, fails one, or makes a call beyond the offline number",
            .timeLimit(.minutes(4)))
        func calm() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "1s"
                $0.environment["FXGW_LEASE_TTL"] = "4s"
            }
            try await FleetTests.run(options) { fleet in
                let run = try await CalmRun(fleet)
                do {
                    try await run.begin()
                    for trouble in RedisTrouble.allCases { try await run.pass(trouble) }
                } catch {
                    for window in run.windows { print("calm: \(window.row)") }
                    await run.end()
                    throw error
                }
                await run.end()
                for window in run.windows {
                    print("calm: \(window.row)")
                    #expect(window.samples.count > 500)
                    let answered = window.samples.count { $0.reading?.status == 200 }
                    #expect(answered == window.samples.count, "\(window.name)")
                }
                #expect(run.calls[0] == 0, "called without Redis")
                // Two an hour, and the run is far shorter. That the number has an effect is shown where Redis stays away: here
                // it comes back each time, mostly before a call is due.
                #expect(run.calls[1] <= 2)
            }
        }
    }
}
