/// The commands of the program; the raw value is what stands on the command line.
enum CommandName: String, CaseIterable, Sendable {
    case serve
    case checkConfig = "check-config"
    case plan, status, quota, explain, get, refresh, simulate, healthcheck, completions, version, help

    /// What it does, in a line.
    var summary: String {
        switch self {
        case .serve: "answer requests until SIGTERM"
        case .checkConfig: "show the effective configuration, secrets masked"
        case .plan: "what a month would cost: calls, intervals, whether the plan lasts"
        case .status: "ask a running gateway for the state of the fleet"
        case .quota: "ask it for the month's budget and who spends it"
        case .explain: "ask it why its answers for a base are what they are"
        case .get: "ask it for one rate"
        case .refresh: "have a table fetched now (admin token)"
        case .simulate: "a simulated upstream"
        case .healthcheck: "ask it whether it answers (--ready: whether traffic should come)"
        case .completions: "what a shell needs to complete these commands"
        case .version: "the version of this build"
        case .help: "this text (--man: the manual page)"
        }
    }

    /// What stands behind the name, in the words of the usage line.
    var operands: String {
        switch self {
        case .explain: "BASE[/SYMBOL,...]"
        case .get: "BASE/QUOTE"
        case .refresh: "[BASE]"
        case .completions: ShellName.allCases.map(\.rawValue).joined(separator: "|")
        case .serve, .checkConfig, .plan, .status, .quota, .simulate, .healthcheck, .version, .help: ""
        }
    }

    /// How many operands it takes.
    var operandCount: ClosedRange<Int> {
        switch self {
        case .explain, .get, .completions: 1...1
        case .refresh: 0...1
        case .serve, .checkConfig, .plan, .status, .quota, .simulate, .healthcheck, .version, .help: 0...0
        }
    }

    /// The options it knows, beside `--help`.
    var options: [CommandOption] {
        switch self {
        case .checkConfig: [.output]
        case .plan: [.recipe, .bases, .tier, .liveTTL, .quota, .month, .instances, .output]
        case .status, .quota, .explain, .get: [.listen, .tokenFile, .output]
        case .refresh: [.force, .listen, .output]
        case .healthcheck: [.ready]
        case .help: [.man]
        case .serve, .simulate, .completions, .version: []
        }
    }
}
