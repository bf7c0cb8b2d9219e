/// What `--help` and the manual page tell of each command beside its options.
extension CommandName {
    /// What one has to know before running it, in a sentence or two; a line each.
    var details: [String] {
        switch self {
        case .serve:
            [
                "Reads the environment, reports every problem at once or listens. SIGTERM and SIGINT drain it; SIGHUP reads",
                "the key's, the admin token's and the clients file again. Its log goes to standard output.",
            ]
        case .checkConfig:
            [
                "Starts nothing and calls nobody. Every problem and every warning is told at once, on standard error; with",
                "--output json the whole is one document with configuration, warnings and problems.",
            ]
        case .plan: ["Calls nobody. What the options don't say is taken from the configuration."]
        case .status, .quota, .explain, .get:
            [
                "Asks the gateway at FXGW_LISTEN, or at --listen. --output json gives the answer's whole document."
            ]
        case .refresh:
            [
                "Fetches the pivot's table unless BASE names another one that is fetched, with the admin token. Counts as a",
                "call of the plan. Waits for upstream, at the longest 90 s.",
            ]
        case .simulate:
            ["Replays the ECB's reference rates of a past day, with upstream's limits and scripted faults."]
        case .healthcheck:
            ["For container platforms: needs no shell and no curl, waits for at most 2 s, prints nothing."]
        case .completions: ["Writes a script for the named shell to standard output."]
        case .version: ["One line."]
        case .help: ["COMMAND --help tells the options of one command."]
        }
    }

    /// The variables of the configuration that it reads.
    var environment: [ConfigurationName] {
        switch self {
        case .serve, .checkConfig: ConfigurationName.allCases
        case .plan:
            [.bases, .liveTTL, .quotaMonthly, .quotaPerMinute, .quotaTarget, .maxInFlight, .key, .keyFile]
        case .status, .quota, .explain, .get, .healthcheck: [.listen]
        case .refresh: [.listen, .bases, .adminToken, .adminTokenFile]
        case .simulate, .completions, .version, .help: []
        }
    }

    /// Whether what it writes is painted at a terminal, so that NO_COLOR and TERM matter.
    var isPainted: Bool {
        switch self {
        case .status, .quota, .explain, .get, .refresh, .plan, .help: true
        case .serve, .checkConfig, .simulate, .healthcheck, .completions, .version: false
        }
    }

    /// How it may end.
    var exitCodes: [ExitCode] {
        switch self {
        case .serve: [.success, .usage, .unavailable, .configuration]
        case .checkConfig: [.success, .usage, .configuration]
        case .plan: [.success, .failure, .usage, .configuration]
        case .status, .quota, .explain, .get, .refresh, .healthcheck:
            [.success, .failure, .usage, .unavailable, .configuration]
        case .simulate: [.success, .failure, .usage]
        case .completions, .version, .help: [.success, .usage]
        }
    }

    /// What an exit code means here, where that is more than its general meaning.
    func meaning(of code: ExitCode) -> String {
        switch (self, code) {
        case (.serve, .success): "drained after SIGTERM or SIGINT"
        case (.serve, .unavailable): "it can't listen at FXGW_LISTEN"
        case (.checkConfig, .success): "serve would start with it"
        case (.plan, .success): "the plan lasts at the wished intervals"
        case (.plan, .failure): "the pace has to stretch them"
        case (.status, .failure), (.quota, .failure), (.explain, .failure), (.get, .failure):
            "the gateway refuses; it says why"
        case (.refresh, .failure): "nothing was fetched; it says why"
        case (.healthcheck, .failure): "it answers, but not with 200"
        case (.simulate, .failure): "it can't listen at --listen"
        default: code.meaning
        }
    }

    /// A line that works.
    var example: String {
        switch self {
        case .serve: "FXGW_REDIS_URL=redis://127.0.0.1:6379 fxgateway serve"
        case .checkConfig: "fxgateway check-config --output json"
        case .plan: "fxgateway plan --recipe hourly --instances 5"
        case .status: "fxgateway status --listen 127.0.0.1:8081"
        case .quota: "fxgateway quota --output json"
        case .explain: "fxgateway explain USD/EUR,GBP"
        case .get: "fxgateway get USD/EUR"
        case .refresh: "FXGW_ADMIN_TOKEN_FILE=/etc/fxgateway/admin-token fxgateway refresh USD --force"
        case .simulate: "fxgateway simulate --mode mixed --listen 127.0.0.1:9099"
        case .healthcheck: "fxgateway healthcheck --ready"
        case .completions: "fxgateway completions bash > /etc/bash_completion.d/fxgateway"
        case .version: "fxgateway version"
        case .help: "fxgateway help --man | man -l -"
        }
    }
}
