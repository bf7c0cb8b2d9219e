import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Clients that take what they can")
    struct Abuse {
        private static let target = "/v1/latest/EUR?symbols=USD"

        @Test(
            "T7, C170: with few descriptors and more idle clients than it takes, it goes on to fetch and to answer",
            .timeLimit(.minutes(4)))
        func descriptors() async throws {
            let options = FleetOptions { $0.gateways = 0 }
            try await FleetTests.run(options) { fleet in
                let gateway = try await GatewayProcess.start(
                    name: "few", environment: fleet.environment(["FXGW_THREADS": "1"]),
                    directory: fleet.directory,
                    descriptors: 256)
                defer { gateway.stop() }
                let port = gateway.port
                let kept = try RawHTTPClient(port: port)
                let request = GatewayProcess.request("GET", Self.target)
                #expect(try kept.exchange(request, within: .seconds(20)).status == 200)
                let idle = try (0..<250).map { _ in try RawHTTPClient(port: port) }
                // 256 less what is kept for Redis, upstream and the loops; the others are told so.
                let refused = try idle.filter {
                    try !$0.answers(1, within: .milliseconds(20)).answers.isEmpty
                }
                #expect(refused.count >= 250 - 192 && refused.count < 120, "\(refused.count)")
                #expect(ProcessMemory.descriptors(of: gateway.process.identifier) < 256)
                let calls = fleet.calls
                // The rates live for two seconds.
                let isFetching = await eventually(within: .seconds(20)) {
                    (try? kept.exchange(request).status) == 200 && fleet.calls > calls + 1
                }
                #expect(isFetching)
                let log = gateway.log
                #expect(!log.contains("Too many open files"))
                for client in idle { client.close() }
                let isFree = await eventually(within: .seconds(10)) {
                    (try? await gateway.ask("GET", "/healthz").status) == 200
                }
                #expect(isFree)
            }
        }

        @Test(
            "C180: clients that break off a thousand large answers, and peers that hang up first, leave nothing open",
            .timeLimit(.minutes(4)))
        func brokenOff() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.upstream.mode = .ecb
            }
            try await FleetTests.run(options) { fleet in
                let path = "\(fleet.directory)/gateway.sock"
                let gateway = try await fleet.add(environment: ["FXGW_THREADS": "1"])[0]
                let local = try ChildProcess(
                    try GatewayProcess.executable(), ["serve"],
                    environment: fleet.environment(["FXGW_LISTEN": "unix:\(path)"]),
                    output: URL(fileURLWithPath: "\(fleet.directory)/unix.log"))
                defer { local.stop() }
                let target = "/v1/latest/EUR"
                let isUp = await eventually(within: .seconds(20)) {
                    let answer = try? RawHTTPClient(path: path).exchange(
                        GatewayProcess.request("GET", target))
                    return answer?.status == 200
                }
                try #require(isUp)
                try #require(try await gateway.ask("GET", target).status == 200)
                let before = [gateway.process, local].map { ProcessMemory.descriptors(of: $0.identifier) }
                try await onThread { [port = gateway.port] in
                    for number in 0..<1_200 {
                        let client =
                            try number < 1_000 ? RawHTTPClient(port: port) : RawHTTPClient(path: path)
                        // Several at once: more than one write takes.
                        try client.send(String(repeating: GatewayProcess.request("GET", target), count: 20))
                        _ = client.read(within: .seconds(5)) { !$0.isEmpty }
                        client.reset()
                    }
                }
                // Upstream hangs up in each of its answers, and Redis on each of its links.
                _ = try await ask(
                    fleet, "POST", "/control/script", #"[{"raw":"HTTP/1.1 200","reset":true,"times":20}]"#)
                for _ in 0..<20 {
                    _ = try await gateway.ask(
                        "POST", "/admin/refresh/EUR?force=true",
                        fields: ["Authorization: Bearer \(FleetOptions.adminToken)"], within: .seconds(20))
                    _ = try? fleet.redis.cli("CLIENT", "KILL", "TYPE", "normal")
                    _ = try? fleet.redis.cli("CLIENT", "KILL", "TYPE", "pubsub")
                }
                for (process, count) in zip([gateway.process, local], before) {
                    let isCalm = await eventually(within: .seconds(20)) {
                        ProcessMemory.descriptors(of: process.identifier) <= count
                    }
                    #expect(isCalm, "\(ProcessMemory.descriptors(of: process.identifier)) of \(count)")
                    #expect(process.status == nil)
                }
                #expect(try await gateway.ask("GET", target).status == 200)
            }
        }

        @Test(
            "C182: calls that time out and links that drop never put one party's bytes into another's answer",
            .timeLimit(.minutes(15)))
        func mixed() async throws {
            // Ten minutes with FXGW_TEST_LONG=1.
            let isLong = ProcessInfo.processInfo.environment["FXGW_TEST_LONG"] == "1"
            let options = FleetOptions {
                $0.gateways = 2
                $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "1s"
            }
            try await FleetTests.run(options) { fleet in
                try #require(await fleet.isWarm())
                let faults =
                    #"[{"hang":true,"times":1},{"times":1},{"raw":"+OK\r\n$5\r\nhello\r\n","reset":true,"times":1},{"times":2}]"#
                let loads = [Self.target, "/v1/rate/usd-jpy", "/v1/convert/EUR/CHF/12.50"].map {
                    BodyLoad(fleet.gateways.map(\.port), target: $0)
                }
                let end = ContinuousClock.now + .seconds(isLong ? 600 : 15)
                while ContinuousClock.now < end {
                    _ = try await ask(fleet, "POST", "/control/script?replace=true", faults)
                    _ = try? fleet.redis.cli("CLIENT", "KILL", "TYPE", "normal")
                    try? await Task.sleep(for: .milliseconds(300))
                }
                for load in loads {
                    let outcome = await load.stop()
                    #expect(outcome.answers > 200)
                    #expect(outcome.strange.isEmpty, "\(outcome.strange.prefix(3))")
                }
                for gateway in fleet.gateways {
                    #expect(gateway.process.status == nil)
                    #expect(!gateway.log.contains("Bad file descriptor"))
                    #expect(!gateway.log.contains("hello"))
                }
            }
        }

        @Test(
            "U9, C184: a redirect costs one call of the ledger, brings nothing in and is not followed",
            .timeLimit(.minutes(3)))
        func redirect() async throws {
            let options = FleetOptions { $0.gateways = 1 }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let gateway = fleet.gateways[0]
                _ = try await ask(
                    fleet, "POST", "/control/script",
                    #"[{"status":302,"headers":{"Location":"http://other.test/v1/latest?base=USD"},"body":"","times":"always"}]"#
                )
                let calls = fleet.calls
                #expect(await eventually(within: .seconds(20)) { fleet.calls >= calls + 2 })
                let isStale = try await eventually(within: .seconds(20)) {
                    let answer = try await gateway.ask("GET", Self.target)
                    return answer.status == 200 && answer.text.contains(#""reason":"upstream_error""#)
                }
                #expect(isStale)
                try await checks.spend(spare: 1)
                #expect(!gateway.log.contains("other.test"))
            }
        }

        @Test("C186: the bytes of an answer hang on no locale and no time zone", .timeLimit(.minutes(4)))
        func locales() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.upstream.mode = .ecb
            }
            try await FleetTests.run(options) { fleet in
                let names = ["C", "tr_TR.UTF-8", "ar_EG.UTF-8", "de_DE.UTF-8"]
                let place = try Self.makeLocales(names, in: fleet.directory)
                for name in names {
                    try await fleet.add(environment: [
                        "LANG": name, "LC_ALL": name, "LOCPATH": place,
                        "TZ": name == "C" ? nil : "Asia/Kolkata",
                    ])
                }
                let targets = [
                    "/v1/latest/eur", "/v1/rate/inr-idr", "/v1/rate/INR-IDR",
                    "/v1/latest/isk?symbols=ils,inr,idr",
                    "/v1/convert/isk/inr/1234567.891", "/v1/convert/isk/inr/1,500.50",
                    "/v1/convert/usd/eur/%D9%A1%D9%A2",
                    "/v1/convert/usd/eur/1.500,50", "/v1/rate/%C4%B1nr-idr", "/v1/latest?numbers=string",
                    "/v1/2024-03-31/inr?symbols=idr",
                ]
                for target in targets {
                    var answers: [RawHTTPClient.Answer] = []
                    for gateway in fleet.gateways {
                        answers.append(try await gateway.ask("GET", target, within: .seconds(20)))
                    }
                    for (name, answer) in zip(names, answers) {
                        #expect(
                            answer.status == answers[0].status && answer.body == answers[0].body,
                            "\(name) \(target)")
                        for field in ["etag", "last-modified", "fx-next-refresh", "content-length"] {
                            #expect(
                                answer.field(field) == answers[0].field(field), "\(name) \(target) \(field)")
                        }
                        #expect(
                            answer.field("date")?.wholeMatch(
                                of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
                    }
                }
                for gateway in fleet.gateways {
                    #expect(
                        gateway.log.split(separator: "\n").allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
                }
            }
        }

        /// Makes the locales where the system has what they are made of; without them the names mean C.
        private static func makeLocales(_ names: [String], in directory: String) throws -> String {
            let place = "\(directory)/locales"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            for name in names where name != "C" {
                let source = String(name.prefix { $0 != "." })
                guard FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/\(source)") else {
                    continue
                }
                let maker = Process()
                maker.executableURL = URL(fileURLWithPath: "/usr/bin/localedef")
                maker.arguments = ["-i", source, "-f", "UTF-8", "\(place)/\(name)"]
                maker.standardError = FileHandle.nullDevice
                try maker.run()
                maker.waitUntilExit()
            }
            return place
        }

        /// One request to the simulator's controls.
        private func ask(_ fleet: Fleet, _ method: String, _ target: String, _ body: String) async throws
            -> String
        {
            let request = GatewayProcess.request(method, target, fields: ["Connection: close"], body: body)
            let answer = try await onThread { [port = fleet.simulator.port] in
                try RawHTTPClient(port: UInt16(port)).exchange(request)
            }
            #expect(answer.status == 200, "\(answer.text)")
            return answer.text
        }
    }
}
