import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Limits of the machine")
    struct Machine {
        private static let target = "/v1/latest/EUR?symbols=USD"

        @Test(
            "T7: a log that nobody reads any more loses lines, and holds up neither /healthz nor rates nor calls",
            .timeLimit(.minutes(3)))
        func stuckLog() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let pipe = "\(fleet.directory)/log-pipe"
                #expect(mkfifo(pipe, 0o600) == 0)
                // Open for reading, so that writing doesn't fail; nothing is ever read.
                let reader = open(pipe, O_RDWR | O_CLOEXEC)
                defer { close(reader) }
                let port = try TCPProxySocket.freePort()
                let gateway = try ChildProcess(
                    try GatewayProcess.executable(), ["serve"],
                    environment: fleet.environment([
                        "FXGW_LISTEN": "127.0.0.1:\(port)", "FXGW_ACCESS_LOG": "on",
                        "FXGW_LOG_LEVEL": "trace",
                    ]), output: URL(fileURLWithPath: pipe))
                defer { gateway.stop() }
                func ask(_ target: String) async throws -> RawHTTPClient.Answer {
                    let request = GatewayProcess.request("GET", target, fields: ["Connection: close"])
                    return try await onThread {
                        try RawHTTPClient(port: UInt16(port)).exchange(request, within: .seconds(5))
                    }
                }
                let isUp = await eventually(within: .seconds(20)) {
                    (try? await ask(Self.target).status) == 200
                }
                try #require(isUp)
                // Far more than the 64 KiB that a pipe holds.
                for _ in 0..<20 {
                    let client = CrowdClient(
                        port: UInt16(port),
                        requests: Array(repeating: GatewayProcess.request("GET", Self.target), count: 100))
                    let answers = try await Crowd.ask([client], within: .seconds(5))
                    #expect(answers.count == 100 && answers.allSatisfy { $0.answer.status == 200 })
                }
                #expect(try await ask("/healthz").status == 200)
                let calls = fleet.calls
                #expect(await fleet.calls(atLeast: calls + 2))
                let dropped = try await ask("/metrics").text.firstMatch(
                    of: #/fxgateway_log_lines_dropped_total (\d+)/#
                ).flatMap { Int($0.output.1) }
                #expect(dropped.map { $0 > 500 } == true, "\(dropped ?? -1)")
                gateway.signal(SIGTERM)
                #expect(await eventually(within: .seconds(15)) { gateway.status == 0 })
            }
        }

        @Test(
            "T7: with a tenth of a processor, in bursts, /healthz answers, rates go on and the lease isn't lost twice",
            .timeLimit(.minutes(3)))
        func littleProcessor() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 1 }) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let gateway = fleet.gateways[0]
                let throttle = Task {
                    try await onThread {
                        let end = ContinuousClock.now + .seconds(8)
                        while ContinuousClock.now < end {
                            gateway.signal(SIGSTOP)
                            usleep(90_000)
                            gateway.signal(SIGCONT)
                            usleep(10_000)
                        }
                    }
                }
                let calls = fleet.calls
                for _ in 0..<15 {
                    #expect(try await gateway.ask("GET", "/healthz", within: .seconds(3)).status == 200)
                    #expect(try await gateway.rates(within: .seconds(3)).status == 200)
                }
                #expect(await fleet.calls(atLeast: calls + 2, within: .seconds(8)))
                try await throttle.value
                #expect(await fleet.isWarm(within: .seconds(7)))
                checks.intervals(.seconds(2))
                try await checks.spend(spare: 1)
            }
        }

        @Test(
            "T7: 48 MiB short of its limit on memory, floods are shed, and /healthz, rates and calls go on",
            .timeLimit(.minutes(4)))
        func littleMemory() async throws {
            let options = FleetOptions {
                $0.gateways = 1
                $0.upstream.mode = .ecb
                $0.environment["FXGW_MAX_CONNECTIONS"] = "150"
            }
            try await FleetTests.run(options) { fleet in
                try #require(await fleet.isWarm())
                let gateway = fleet.gateways[0]
                let limit = try Self.limitMemory(of: gateway.process.identifier, room: 48 << 20)
                #expect(limit > 0)
                let port = gateway.port
                try await onThread {
                    // Clients that ask for large answers and read nothing, more than are taken.
                    let greedy = try (0..<200).map { _ in try RawHTTPClient(port: port, receiveBuffer: 4_096)
                    }
                    let request = GatewayProcess.request("GET", "/v1/latest/EUR?explain=1")
                    for client in greedy { try? client.send(String(repeating: request, count: 20)) }
                    let shed = greedy.count { client in
                        let answers = try? client.answers(1, within: .milliseconds(50)).answers
                        return answers?.first?.status == 503
                    }
                    #expect(shed >= 40, "\(shed)")
                    for client in greedy { client.close() }
                }
                let isFree = await eventually(within: .seconds(10)) {
                    (try? await gateway.ask("GET", "/healthz").status) == 200
                }
                #expect(isFree)
                // Ever other targets, each of which would be worth a place in a cache.
                try await onThread {
                    let client = try RawHTTPClient(port: port)
                    for number in 0..<6_000 {
                        let answer = try client.exchange(
                            GatewayProcess.request("GET", "/v1/convert/EUR/USD/\(number).5?_=\(number)"))
                        #expect(answer.status == 200 || answer.status == 400)
                    }
                }
                for _ in 0..<5 {
                    #expect(try await gateway.refresh().status != 500)
                    #expect(try await gateway.ask("GET", Self.target).status == 200)
                }
                #expect(try await gateway.ask("GET", "/healthz").status == 200)
                #expect(gateway.process.status == nil)
            }
        }

        @Test(
            "T8: a state directory whose disk fills, is emptied and turns read-only costs the file and nothing else",
            .enabled(if: SystemRights.mayMount, "only who may mount can give it a disk of its own"),
            .timeLimit(.minutes(3)))
        func disk() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.environment["FXGW_LIVE_TTL"] = "1s"
            }
            try await FleetTests.run(options) { fleet in
                let folder = "\(fleet.directory)/state"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                try #require(mount("tmpfs", folder, "tmpfs", 0, "size=64k,mode=700") == 0)
                defer { umount2(folder, Int32(MNT_DETACH)) }
                let gateway = try await fleet.add(environment: ["FXGW_STATE_DIR": folder])[0]
                func bytes() -> Data? {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                    return names.first { $0.hasSuffix(".json") }.flatMap {
                        FileManager.default.contents(atPath: "\(folder)/\($0)")
                    }
                }
                func complaints() -> Int {
                    gateway.log.split(separator: "\n").count { $0.contains("without the state file") }
                }
                try #require(await fleet.isWarm())
                try #require(await eventually(within: .seconds(10)) { bytes() != nil })
                // Full to the last byte.
                let filler = open("\(folder)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                let page = [UInt8](repeating: 1, count: 4_096)
                while write(filler, page, page.count) > 0 {}
                close(filler)
                #expect(await eventually(within: .seconds(15)) { complaints() == 1 })
                let (kept, calls) = (bytes(), fleet.calls)
                #expect(await fleet.calls(atLeast: calls + 3))
                #expect(await fleet.isWarm(within: .seconds(5)))
                #expect(bytes() == kept, "the old file stays whole")
                #expect(complaints() == 1, "said once")
                unlink("\(folder)/filler")
                #expect(await eventually(within: .seconds(15)) { bytes() != kept })
                // Nobody may have a file open for writing at that moment.
                let isReadOnly = await eventually(within: .seconds(10), step: .milliseconds(1)) {
                    mount("tmpfs", folder, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0
                }
                guard isReadOnly else { return }
                let later = fleet.calls
                #expect(await fleet.calls(atLeast: later + 3))
                #expect(await fleet.isWarm(within: .seconds(5)))
                #expect(try await gateway.ask("GET", "/readyz").status == 200)
                gateway.signal(SIGTERM)
                #expect(await gateway.ended(within: .seconds(10)) == 0)
            }
        }

        /// Lets a process have so many bytes of address space more than it has now.
        private static func limitMemory(of process: Int32, room: Int) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let size = try #require(text.firstMatch(of: #/VmSize:\s+(\d+) kB/#).flatMap { Int($0.output.1) })
            let limit = size * 1_024 + room
            let tool = Process()
            tool.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
            tool.arguments = ["--pid", "\(process)", "--as=\(limit)"]
            try tool.run()
            tool.waitUntilExit()
            #expect(tool.terminationStatus == 0)
            return limit
        }
    }
}
