import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("The way to upstream")
    struct Network {
        @Test(
            "U2: a name that moves to another address, goes away and comes back is followed without a restart",
            .timeLimit(.minutes(4)))
        func nameMoves() async throws {
            try #require(
                HostNames.library != nil, "nss_wrapper is missing: scripts/bootstrap --test installs it")
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                var configuration = fleet.options.upstream
                configuration.listen = "127.0.0.2:\(fleet.simulator.port)"
                let second = try Simulator(configuration: configuration)
                try second.start()
                let names = try HostNames(["rates.test": "127.0.0.1"])
                let gateway = try await fleet.add(
                    environment: names.environment.mapValues { $0 }.merging([
                        "FXGW_UPSTREAM_URL": "http://rates.test:\(fleet.simulator.port)",
                        "FXGW_UPSTREAM_INSECURE": "on",
                    ]) { $1 })[0]
                #expect(await fleet.isWarm())
                try names.set(["rates.test": "127.0.0.2"])
                #expect(await eventually(within: .seconds(10)) { second.calls >= 2 })
                let old = fleet.calls
                #expect(await eventually(within: .seconds(10)) { second.calls >= 4 })
                #expect(fleet.calls == old)
                // No address at all: stale under the old rates' own age, and backing off.
                try names.set([:])
                let isStale = try await eventually(within: .seconds(25), step: .milliseconds(100)) {
                    let reading = try await gateway.rates()
                    return reading.status == 200 && reading.state == "stale"
                        && reading.reason == "upstream_error"
                }
                #expect(isStale)
                #expect(await gateway.hasLogged("\"reason\":\"dns\""))
                try names.set(["rates.test": "127.0.0.1"])
                #expect(await eventually(within: .seconds(10)) { fleet.calls > old })
                #expect(await fleet.isWarm(within: .seconds(5)))
                gateway.stop()
                await second.stop()
            }
        }

        @Test(
            "U10: expired, for another host, self-signed or without its intermediate: each is refused for its reason",
            .enabled(
                if: SystemRights.mayMount, "only who may mount can give a process an authority of its own"),
            .timeLimit(.minutes(4)),
            arguments: [
                (TLSIdentity.good, String?.none), (.selfSigned, "tls_untrusted"), (.expired, "tls_expired"),
                (.wrongHost, "tls_wrong_host"), (.withoutIntermediate, "tls_untrusted"),
            ])
        func certificates(identity: TLSIdentity, reason: String?) async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                try await TLSServer.run(identity) { server in
                    // In a mount namespace of its own, the authority stands in the place of the system's.
                    let authorities = "/etc/ssl/certs/ca-certificates.crt"
                    let mount =
                        identity == .selfSigned ? "true" : "mount --bind '\(server.authority)' \(authorities)"
                    let gateway = try await GatewayProcess.start(
                        name: identity.rawValue,
                        program: [
                            "unshare", "-m", "sh", "-c", "\(mount) && exec \"$0\" \"$@\"",
                            try GatewayProcess.executable(),
                        ],
                        environment: fleet.environment(["FXGW_UPSTREAM_URL": server.url.absoluteString]),
                        directory: fleet.directory)
                    defer { gateway.stop() }
                    // A good one is let through to what isn't JSON, so that the others are not refused for nothing.
                    let word = "\"reason\":\"\(reason ?? "not_json")\""
                    let isTold = await eventually(within: .seconds(15)) { gateway.log.contains(word) }
                    #expect(isTold, "\(gateway.log.split(separator: "\n").suffix(5))")
                    #expect(gateway.log.contains("\"reason\":\"tls_") == (reason != nil))
                    #expect(!gateway.log.contains("exr_live_test"))
                }
            }
        }

        @Test(
            "L3: a call that would outlast its lease is ended by its deadline well before, and stays spent",
            .timeLimit(.minutes(3)))
        func deadline() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                try #require(try await fleet.isQuiet())
                let calls = fleet.calls
                var hang = Fault()
                hang.ending = .hang
                fleet.simulator.script(hang)
                try #require(await fleet.calls(atLeast: calls + 1))
                let began = ContinuousClock.now
                #expect(await eventually(within: .seconds(5)) { fleet.simulator.counts.inFlight == 0 })
                // FXGW_UPSTREAM_TIMEOUT is 2 s, the lease 5 s: three seconds are left to publish in.
                let took = ContinuousClock.now - began
                #expect(took < .milliseconds(3_500) * MachineLoad.factor, "\(took)")
                let cut = try await eventually(within: .seconds(3)) {
                    var sum = 0.0
                    for gateway in fleet.gateways {
                        let name = "fxgateway_upstream_requests_total{outcome=\"cut_off\"}"
                        sum += try await gateway.metric(name) ?? 0
                    }
                    return sum == 1
                }
                #expect(cut)
                let reading = try await fleet.gateways[0].rates()
                #expect(reading.status == 200)
                #expect(await fleet.calls(atLeast: calls + 2, within: .seconds(10)))
                #expect(await fleet.isWarm(within: .seconds(5)))
                // Counted as any other, though it brought nothing.
                try await checks.spend()
            }
        }

        /// Answers that break off, lie about their length or have no end, and the word for each.
        private static let broken: [(name: String, fault: Fault)] = {
            func raw(_ text: String) -> Fault {
                var fault = Fault()
                fault.raw = Array(text.utf8)
                return fault
            }
            func changed(_ change: (inout Fault) -> Void) -> Fault {
                var fault = Fault()
                change(&fault)
                return fault
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            return [
                ("truncated", changed { $0.truncate = 40 }),
                ("length too long", raw(head + "Content-Length: 500\r\n\r\n{\"result\":\"success\"}")),
                ("length too short", raw(head + "Content-Length: 9\r\n\r\n{\"result\":\"success\"}")),
                ("chunk error", raw(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n")),
                ("chunk cut", raw(head + "Transfer-Encoding: chunked\r\n\r\nff\r\n{\"result\"")),
                ("gzip bomb", changed { $0.gzipBomb = 256 << 20 }),
                (
                    "a gigabyte",
                    raw(head + "Content-Length: 1073741824\r\n\r\n" + String(repeating: " ", count: 2 << 20))
                ),
                ("head without end", changed { $0.fillerFields = 4_000 }),
                ("304 to a call of ours (U14)", raw("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")),
            ]
        }()

        @Test(
            "U8, U14: truncated, mislabelled, bombs, a gigabyte, heads without end: capped, dropped, what is held stays",
            .timeLimit(.minutes(3)))
        func brokenAnswers() async throws {
            let options = FleetOptions {
                $0.gateways = 1
                $0.environment["FXGW_LIVE_TTL"] = "10m"
                $0.environment["FXGW_LIVE_MAX_STALE"] = "10m"
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let gateway = fleet.gateways[0]
                let held = try await gateway.rates().snapshot
                let memory = ProcessMemory.residentBytes(of: gateway.process.identifier)
                for (name, fault) in Self.broken {
                    let calls = fleet.calls
                    fleet.simulator.script(fault)
                    var answer: RawHTTPClient.Answer?
                    // What is in the way of an operator's call passes: the last one's slot, the rate.
                    _ = try await eventually(within: .seconds(15), step: .milliseconds(50)) {
                        answer = try await gateway.refresh()
                        return fleet.calls > calls
                    }
                    #expect(answer?.status == 502 || answer?.status == 503, "\(name): \(answer?.text ?? "")")
                    #expect(fleet.calls == calls + 1, "\(name): asked once")
                    let reading = try await gateway.rates()
                    #expect(reading.status == 200 && reading.snapshot == held, "\(name)")
                }
                let grown = ProcessMemory.residentBytes(of: gateway.process.identifier) - memory
                #expect(grown < 24 << 20, "\(grown) bytes")
                #expect(gateway.process.status == nil)
                try await checks.spend()
            }
        }

        @Test(
            "U14: no call is conditional, and a 304 all the same is a failed fetch", .timeLimit(.minutes(3)))
        func notModified() async throws {
            let now = Date().formatted(.iso8601)
            let table = """
                {"result":"success","base":"EUR","source":"live","market_session":"open",\
                "data_updated_at":"\(now)","rates":{"USD":1.25,"GBP":0.85}}
                """
            let fields = [("ETag", "\"abc\""), ("Last-Modified", "Mon, 02 Mar 2026 10:00:00 GMT")]
            try await RawHTTPServer.run(
                [.json(table, fields: fields)], [.answer("304 Not Modified", fields: fields, body: [])]
            ) { server in
                try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                    let gateway = try await fleet.add(environment: [
                        "FXGW_UPSTREAM_URL": server.url.absoluteString
                    ])[0]
                    let isStale = try await eventually(within: .seconds(25), step: .milliseconds(100)) {
                        let reading = try await gateway.rates()
                        return reading.status == 200 && reading.state == "stale"
                            && reading.reason == "upstream_error"
                    }
                    #expect(isStale)
                    #expect(server.requests.count >= 2)
                    for request in server.requests {
                        let head = request.head.lowercased()
                        #expect(!head.contains("if-none-match") && !head.contains("if-modified-since"))
                    }
                    #expect(await gateway.hasLogged("\"reason\":\"not_2xx\""))
                    gateway.stop()
                }
            }
        }
    }
}
