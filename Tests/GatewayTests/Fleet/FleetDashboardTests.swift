import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    /// Looked at by headless Chromium, which `Tests/Dashboard/dashboard.py` drives; `scripts/bootstrap --test` installs both.
    @Suite("The dashboard in a browser", .timeLimit(.minutes(5)))
    struct Dashboard {
        private static let token = "tok-dashboard-0123456789"
        private static let python = ".build/dashboard-venv/bin/python"

        /// Has the browser play a scene with a fleet, and shows what it has seen.
        private static func play(
            _ scene: String, _ fleet: Fleet, more: [String: Any] = [:], within limit: Duration = .seconds(150)
        ) async throws {
            try #require(
                FileManager.default.isExecutableFile(atPath: ProjectFiles.root.path + "/" + python),
                "no \(python): run scripts/bootstrap --test")
            let data = try JSONSerialization.data(withJSONObject: try await what(fleet, more))
            let path = "\(fleet.directory)/\(scene).json"
            try data.write(to: URL(fileURLWithPath: path))
            let ended = try await ShellCommand.run(
                "\(chosenBrowser)\(python) Tests/Dashboard/dashboard.py \(scene) \"$(cat '\(path)')\"",
                within: limit)
            print("dashboard, \(scene):\n\(ended.text)")
            #expect(ended.status == 0, "\(scene): \(ended.text)")
        }

        /// Another browser than Debian's, as the tests' own environment names it: no command gets that by itself.
        private static var chosenBrowser: String {
            guard let path = ProcessInfo.processInfo.environment["FXGW_TEST_CHROMIUM"] else { return "" }
            return "FXGW_TEST_CHROMIUM='\(path.replacingOccurrences(of: "'", with: "'\\''"))' "
        }

        /// What a scene is told: where the first gateway is, and which other one may be killed.
        private static func what(_ fleet: Fleet, _ more: [String: Any]) async throws -> [String: Any] {
            var what: [String: Any] = [
                "base": "http://127.0.0.1:\(fleet.gateways[0].port)", "upstream": fleet.simulator.baseURL,
                "admin": FleetOptions.adminToken, "token": token,
                "pictures": ProjectFiles.root.appendingPathComponent("docs").path,
            ]
            if let victim = fleet.gateways.dropFirst().last {
                let host = ProcessInfo.processInfo.hostName
                let pid = victim.process.identifier
                what["victim"] = ["pid": Int(pid), "name": "\(host):\(pid)"]
            }
            return what.merging(more) { _, new in new }
        }

        /// A fleet whose rates come often enough to be seen coming.
        private static func options(_ gateways: Int, _ change: (inout FleetOptions) -> Void = { _ in })
            -> FleetOptions
        {
            FleetOptions {
                $0.gateways = gateways
                $0.upstream.mode = .mixed
                $0.environment["FXGW_LIVE_TTL"] = "3s"
                $0.environment["FXGW_LOG_LEVEL"] = "info"
                change(&$0)
            }
        }

        @Test(
            "a refresh arrives, a cooldown counts down, a killed instance leaves, a conversion has its receipt"
        )
        func live() async throws {
            try await FleetTests.run(Self.options(3)) { fleet in
                try #require(await fleet.isWarm())
                try await Self.play("live", fleet)
            }
        }

        @Test("it works by keyboard, rests while hidden, and without scripts says the most important facts")
        func quiet() async throws {
            try await FleetTests.run(Self.options(1)) { fleet in
                try #require(await fleet.isWarm())
                try await Self.play("quiet", fleet)
                try await Self.play("plain", fleet)
                try await Self.play("paint", fleet)
                try await Self.play("walk", fleet)
            }
        }

        @Test("rates keep their digits; 64 instances are 64 or more; unanswered it asks ever more seldom")
        func troubled() async throws {
            try await FleetTests.run(Self.options(1)) { fleet in
                try #require(await fleet.isWarm())
                try await Self.play("exact", fleet)
                try await Self.play("many", fleet)
                try await Self.play("lost", fleet)
            }
        }

        @Test("while Redis is away the others are unknown, not gone, and this instance is here")
        func away() async throws {
            try await FleetTests.run(Self.options(2)) { fleet in
                try #require(await fleet.isWarm())
                let redis = try #require(fleet.redis.identifier)
                try await Self.play("away", fleet, more: ["redis": Int(redis)])
            }
        }

        @Test("axe-core finds nothing: dark and light, from a phone to a wide screen")
        func accessible() async throws {
            try await FleetTests.run(Self.options(2)) { fleet in
                try #require(await fleet.isWarm())
                try await Self.play("axe", fleet)
            }
        }

        @Test("with a clients file it asks for a token, keeps it in the tab and never in an address")
        func guarded() async throws {
            try await FleetTests.run(Self.options(0)) { fleet in
                _ = try await Self.addGuarded(to: fleet)
                try await Self.play("guarded", fleet)
            }
        }

        @Test(
            "a token taken away by SIGHUP is asked for anew, with the reason; its late refusals touch no new one"
        )
        func revoked() async throws {
            try await FleetTests.run(Self.options(0)) { fleet in
                let clients = try await Self.addGuarded(to: fleet)
                try await Self.play("revoked", fleet, more: ["clients": clients])
            }
        }

        /// A gateway with a clients file; gives the file and the process for a scene.
        private static func addGuarded(to fleet: Fleet) async throws -> [String: Any] {
            let path = fleet.directory + "/clients.json"
            let digest = SampleClients.hexadecimal(token)
            try Data("{\"clients\":[{\"name\":\"people\",\"token_sha256\":\"\(digest)\"}]}".utf8)
                .write(to: URL(fileURLWithPath: path))
            let gateway = try await fleet.add(1, environment: ["FXGW_CLIENTS_FILE": path])[0]
            return ["path": path, "pid": Int(gateway.process.identifier)]
        }

        @Test("without a browser the test fails and says so")
        func noBrowser() async throws {
            let ended = try await ShellCommand.run(
                "FXGW_TEST_CHROMIUM=/nonexistent/chromium \(Self.python) Tests/Dashboard/dashboard.py plain "
                    + "'{\"base\":\"http://127.0.0.1:1\"}'")
            #expect(ended.status == 1)
            #expect(ended.text.contains("no browser at /nonexistent/chromium: run scripts/bootstrap --test"))
        }

        private static let isDrawing =
            ProcessInfo.processInfo.environment["FXGW_TEST_WRITE_PICTURES"] != nil

        @Test("its pictures in docs are drawn anew", .enabled(if: isDrawing))
        func pictures() async throws {
            try await FleetTests.run(Self.options(3)) { fleet in
                try #require(await fleet.isWarm())
                try await Self.play("pictures", fleet, within: .seconds(240))
            }
        }
    }
}
