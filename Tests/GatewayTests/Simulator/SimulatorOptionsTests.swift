import Testing

@testable import UpstreamSimulator

@Suite("Simulator options")
struct SimulatorOptionsTests {
    @Test("without options it is a free plan on port 9099")
    func defaults() throws {
        let configuration = try SimulateOptions(arguments: []).configuration
        #expect(configuration.listen == "127.0.0.1:9099")
        #expect(configuration.limits == QuotaLimits(monthly: 10_000, perMinute: 12, perHour: 100))
        #expect(configuration.mode == .ecb)
        #expect(configuration.liveInterval == .seconds(60))
    }

    @Test("every option reaches the configuration, with a blank or an equals sign")
    func all() throws {
        let options = try SimulateOptions(arguments: [
            "--listen", "127.0.0.1:0", "--mode=mixed", "--clock", "2026-06-16T10:00:00Z", "--frozen",
            "--seed=7",
            "--live-interval", "500ms", "--monthly=50", "--per-minute", "off", "--per-hour", "0", "--key",
            "a",
            "--key=b=c", "--shift", "-2", "--latency=20ms",
        ])
        let configuration = options.configuration
        #expect(configuration.listen == "127.0.0.1:0")
        #expect(configuration.mode == .mixed)
        #expect(configuration.clock?.text == "2026-06-16T10:00:00Z")
        #expect(configuration.isFrozen)
        #expect(configuration.seed == 7)
        #expect(configuration.liveInterval == .milliseconds(500))
        #expect(configuration.limits == QuotaLimits(monthly: 50, perMinute: nil, perHour: 0))
        #expect(configuration.keys == ["a", "b=c"])
        #expect(configuration.shiftWeeks == -2)
        #expect(configuration.latency == .milliseconds(20))
        #expect(try SimulateOptions(arguments: ["-h"]).wantsHelp)
    }

    @Test(
        "a mistake names its option",
        arguments: [
            (["--nope"], "unknown option --nope"), (["--mode"], "option --mode needs a value"),
            (["--mode", "fast"], "option --mode: 'fast' is not live, ecb or mixed"),
            (["x"], "unexpected argument 'x'"),
            (["--seed", "-1"], "option --seed: '-1' is not a whole number from 0 on"),
            (["--frozen=yes"], "unexpected argument '--frozen='"),
            (["--latency", "20"], "option --latency: '20' is not a length as 20ms"),
            (
                ["--live-interval", "0s"],
                "option --live-interval: '0s' is not a length above 0 as 60s, 500ms or 1m"
            ),
            (["--monthly", "-1"], "option --monthly: '-1' is not a number of calls from 0 on, or off"),
            (["--clock", "noon"], "option --clock: 'noon' is not a UTC time as 2026-06-16T10:00:00Z"),
            (
                ["--listen", "here"],
                "option --listen: 'here' is not an address as 127.0.0.1:9099, [::1]:9099 or unix:/path"
            ),
            (["--shift", "1.5"], "option --shift: '1.5' is not a whole number of weeks, or auto"),
            (["--key", ""], "option --key: '…' is not a key that is not empty"),
        ])
    func mistakes(arguments: [String], message: String) throws {
        let problem = #expect(throws: SimulateOptions.Problem.self) {
            try SimulateOptions(arguments: arguments)
        }
        #expect(problem?.description == message)
    }

    @Test("the command ends with 0 for its help and 64 for bad arguments")
    func exitCodes() {
        #expect(SimulateCommand.run(arguments: ["--help"]) == 0)
        #expect(SimulateCommand.run(arguments: ["--nope"]) == 64)
    }

    @Test("the help names every option")
    func help() {
        for name in [
            "--listen", "--mode", "--clock", "--frozen", "--seed", "--live-interval", "--monthly",
            "--per-minute",
            "--per-hour", "--key", "--shift", "--latency",
        ] {
            #expect(
                SimulateOptions.help.contains("  \(name) ") || SimulateOptions.help.contains("  \(name)\n"))
        }
    }
}
