import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Files and their permissions")
    struct Files {
        private static let variables = [
            "EXCHANGERATE_API_KEY_FILE", "FXGW_REDIS_PASSWORD_FILE", "FXGW_ADMIN_TOKEN_FILE",
            "FXGW_CLIENTS_FILE",
        ]

        @Test(
            "a key, password, token or clients file that every user may read or change is warned of, by check-config too",
            .timeLimit(.minutes(3)))
        func exposed() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.redis.password = "s3cret-in-a-file"
                $0.environment["EXCHANGERATE_API_KEY"] = nil
                $0.environment["FXGW_ADMIN_TOKEN"] = nil
            }
            try await FleetTests.run(options) { fleet in
                let texts = ["exr_live_in_a_file", "s3cret-in-a-file", "adm-in-a-file", "{\"clients\":[]}"]
                var environment: [String: String?] = [:]
                for (name, text) in zip(Self.variables, texts) {
                    let path = "\(fleet.directory)/\(name)"
                    try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
                    chmod(path, 0o640)
                    environment[name] = path
                }
                func warnings() async throws -> [String] {
                    let shown = try await GatewayProcess.run(
                        ["check-config"], environment: fleet.environment(environment),
                        directory: fleet.directory)
                    #expect(shown.status == 0, "\(shown.text)")
                    for text in texts.dropLast() { #expect(!shown.text.contains(text)) }
                    return shown.text.split(separator: "\n").map(String.init).filter {
                        $0.hasPrefix("warning: ")
                    }
                }
                #expect(try await warnings().isEmpty)
                let gateway = try await fleet.add(environment: environment)[0]
                #expect(await eventually(within: .seconds(8)) { fleet.calls > 0 })
                #expect(!gateway.log.contains("every user"))
                for (name, mode) in zip(Self.variables, [0o644, 0o604, 0o666, 0o602] as [mode_t]) {
                    chmod("\(fleet.directory)/\(name)", mode)
                }
                let told = try await warnings()
                #expect(told.count == 4, "\(told)")
                for (name, may) in zip(Self.variables, ["read", "read", "change", "change"]) {
                    let sentence = "warning: \(name) names a file that every user may \(may): "
                    #expect(told.contains { $0.hasPrefix(sentence) }, "\(name): \(told)")
                }
                // One that runs is told at the next SIGHUP, one that starts at once; both go on.
                gateway.signal(SIGHUP)
                let isTold = await eventually(within: .seconds(5)) {
                    gateway.log.contains("EXCHANGERATE_API_KEY_FILE names a file that every user may read")
                }
                #expect(isTold)
                let next = try await fleet.add(environment: environment)[0]
                for name in Self.variables {
                    #expect(await next.hasLogged("\(name) names a file that every user"))
                }
                #expect(!next.log.contains("in-a-file\"") && !next.log.contains("exr_live_in"))
            }
        }

        @Test(
            "a state file and its lock are the owner's alone, whatever the umask, and hold no secret",
            .timeLimit(.minutes(3)))
        func stateFile() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let folder = "\(fleet.directory)/state"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                let gateway = try await GatewayProcess.start(
                    name: "open-handed",
                    program: ["sh", "-c", "umask 0; exec \"$0\" \"$@\"", try GatewayProcess.executable()],
                    environment: fleet.environment(["FXGW_STATE_DIR": folder]), directory: fleet.directory)
                defer { gateway.stop() }
                let isThere = try await eventually(within: .seconds(15)) {
                    try FileManager.default.contentsOfDirectory(atPath: folder).count >= 2
                }
                try #require(isThere)
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    var facts = stat()
                    #expect(stat("\(folder)/\(name)", &facts) == 0 || name.hasSuffix(".tmp"))
                    #expect(facts.st_mode & 0o777 == 0o600 || name.hasSuffix(".tmp"), "\(name)")
                    let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                    for secret in ["exr_live_test", FleetOptions.adminToken] {
                        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
                    }
                }
            }
        }

        @Test(
            "P8: a key from a file is in no command line, environment or other page of the process table",
            .timeLimit(.minutes(3)))
        func processTable() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let path = "\(fleet.directory)/key"
                try Data("exr_live_onlyhere42".utf8).write(to: URL(fileURLWithPath: path))
                chmod(path, 0o600)
                let gateway = try await fleet.add(environment: [
                    "EXCHANGERATE_API_KEY": nil, "EXCHANGERATE_API_KEY_FILE": path,
                ])[0]
                #expect(await fleet.isWarm())
                for file in ["cmdline", "environ", "comm", "status", "maps"] {
                    let text = FileManager.default.contents(
                        atPath: "/proc/\(gateway.process.identifier)/\(file)")
                    #expect(text?.range(of: Data("exr_live_onlyhere42".utf8)) == nil, "\(file)")
                }
            }
        }
    }
}
