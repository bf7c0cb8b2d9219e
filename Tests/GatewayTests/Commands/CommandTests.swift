import TestSupport
import Testing

@testable import FXGateway

@Suite("Small commands")
struct CommandTests {
    /// Runs `check-config` on an environment and collects what it writes.
    private func check(
        _ environment: [String: String], output: OutputForm = .table
    ) -> (code: ExitCode, printed: [String], complained: [String]) {
        let result: Result<Configuration, ConfigurationError>
        do throws(ConfigurationError) {
            result = .success(try Configuration(environment: environment, cores: 1) { _ in nil })
        } catch {
            result = .failure(error)
        }
        var printed: [String] = []
        var complained: [String] = []
        let code = CheckConfigCommand.run(
            result, output: output, print: { printed.append($0) }, complain: { complained.append($0) })
        return (code, printed, complained)
    }

    @Test("check-config shows the effective values, masked, and ends with 0")
    func good() {
        let (code, printed, complained) = check([
            "EXCHANGERATE_API_KEY": "FXKEY-TEST-123", "FXGW_COLOUR": "1",
        ])
        #expect(code == .success)
        #expect(printed.contains("EXCHANGERATE_API_KEY=(secret)"))
        #expect(printed.contains("FXGW_LIVE_TTL=60s"))
        #expect(complained == ["warning: 'FXGW_COLOUR' isn't known and has no effect"])
    }

    @Test("check-config names every problem and ends with 78, in lines and in JSON")
    func bad() {
        let environment = ["FXGW_THREADS": "no", "FXGW_LIVE_TTL": "60"]
        let (code, printed, complained) = check(environment)
        #expect(code == .configuration)
        #expect(printed.isEmpty)
        #expect(complained.count == 2)
        let document = check(environment, output: .json)
        #expect(document.code == .configuration)
        #expect(document.printed.count == 1)
        #expect(document.printed[0].hasPrefix(#"{"configuration":{},"warnings":[],"problems":["FXGW_"#))
    }

    @Test("healthcheck ends with 0 for a 200, 1 for anything else, 69 for silence")
    func health() async throws {
        try await GatewayRig.run { rig in
            let address = ListenAddress.tcp(host: "127.0.0.1", port: rig.port)
            #expect(HealthcheckCommand.run(address, isReady: false, complain: { _ in }) == .success)
            #expect(HealthcheckCommand.run(address, isReady: true, complain: { _ in }) == .success)
            rig.setReadiness(Readiness(isReady: false, isDraining: false, degraded: []))
            #expect(HealthcheckCommand.run(address, isReady: true, complain: { _ in }) == .failure)
        }
        let nobody = ListenAddress.unix(path: "/nonexistent/fxgw.sock")
        #expect(HealthcheckCommand.run(nobody, isReady: false, complain: { _ in }) == .unavailable)
    }

    @Test("exit codes are a contract")
    func exitCodes() {
        #expect(
            [ExitCode.success, .failure, .usage, .unavailable, .configuration].map(\.rawValue) == [
                0, 1, 64, 69, 78,
            ])
    }
}
