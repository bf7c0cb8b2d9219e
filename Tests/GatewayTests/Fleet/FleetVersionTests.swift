import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Old and new versions together")
    struct Versions {
        @Test(
            "T9: beside a newer version and after its rollback each reads its own, and what is shared is left whole",
            .timeLimit(.minutes(4)))
        func rolling() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let load = SteadyLoad(fleet.gateways)
                let session = try fleet.redis.session()
                let (control, snapshot) = (fleet.prefix + "control:2", fleet.prefix + "snap:latest:EUR")
                func token() throws -> Int { Int(try session.send(["HGET", snapshot, "token"])) ?? 0 }

                // A newer version's own fields and keys, its snapshot under a token it drew, and its events.
                let extra = #"{"form":2,"list":[]}"#
                for (field, value) in [("later", extra), ("res2:latest:EUR", "x")] {
                    try session.send(["HSET", control, field, value])
                }
                try session.send(["SET", fleet.prefix + "later:thing", "theirs"])
                for schema in ["2", "0"] {
                    let drawn = try session.send(["HINCRBY", control, "epoch", "1"])
                    try session.send(
                        [
                            "HSET", snapshot, "schema", schema, "token", drawn, "body",
                            "a form of another version",
                        ])
                    for event in [
                        #"{"kind":"later","resource":"latest:EUR"}"#,
                        #"{"kind":"published","resource":"latest:EUR","token":\#(drawn),"id":"x","more":1}"#,
                    ] { try session.send(["PUBLISH", fleet.prefix + "events", event]) }
                    let newcomer = try await fleet.add()[0]
                    let planted = try #require(Int(drawn))
                    let isReplaced = try await eventually(within: .seconds(10)) { try token() > planted }
                    #expect(isReplaced, "schema \(schema) isn't replaced by the next fetch")
                    #expect(await fleet.isWarm(within: .seconds(5)))
                    #expect(try session.send(["HGET", snapshot, "schema"]) == "1")
                    #expect(try await newcomer.rates().status == 200)
                }
                let calls = fleet.calls
                #expect(await fleet.calls(atLeast: calls + 2))

                // Rolled back: what belongs to the other version is as it left it.
                let fields = try fleet.control()
                #expect(fields["later"] == extra && fields["res2:latest:EUR"] == "x")
                #expect(try session.send(["GET", fleet.prefix + "later:thing"]) == "theirs")
                let samples = await load.stop()
                #expect(samples.allSatisfy { $0.reading?.status == 200 })
                FleetChecks.truth(samples)
                checks.intervals(.seconds(2))
                try await checks.spend(spare: 1)
                for gateway in fleet.gateways {
                    #expect(gateway.process.status == nil)
                    #expect(!gateway.log.contains("\"level\":\"error\""), "\(gateway.name)")
                }
            }
        }
    }
}
