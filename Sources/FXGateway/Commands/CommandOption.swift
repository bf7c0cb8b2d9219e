/// The options of the commands; the raw value is what stands on the command line.
enum CommandOption: String, CaseIterable, Sendable {
    case output = "--output"
    case ready = "--ready"
    case force = "--force"
    case listen = "--listen"
    case tokenFile = "--token-file"
    case recipe = "--recipe"
    case bases = "--bases"
    case tier = "--tier"
    case liveTTL = "--live-ttl"
    case quota = "--quota"
    case month = "--month"
    case instances = "--instances"
    case man = "--man"

    /// The word for its value; nil for a switch.
    var value: String? {
        switch self {
        case .ready, .force, .man: nil
        case .output, .recipe, .tier: choices.joined(separator: "|")
        case .listen: "ADDRESS"
        case .tokenFile: "FILE"
        case .bases: "CODE,..."
        case .liveTTL: "DURATION"
        case .quota: "CALLS"
        case .month: "YYYY-MM"
        case .instances: "N"
        }
    }

    /// The values that there are, where they can be counted; else empty.
    var choices: [String] {
        switch self {
        case .output: OutputForm.allCases.map(\.rawValue)
        case .recipe: PlanRecipe.allCases.map(\.rawValue)
        case .tier: PlanTier.allCases.map(\.rawValue)
        case .ready, .force, .man, .listen, .tokenFile, .bases, .liveTTL, .quota, .month, .instances: []
        }
    }

    /// What it does, in a line.
    var summary: String {
        switch self {
        case .output: "for people (table) or for programs (json)"
        case .ready: "whether traffic should come, not only whether it lives"
        case .force: "before it is due, never within a pause or beyond the plan"
        case .listen: "where the gateway listens, if not FXGW_LISTEN"
        case .tokenFile: "a file with a client's token, where there is a clients file"
        case .recipe: "one of the three recipes, before the other options"
        case .bases: "the tables that are fetched, if not FXGW_BASES"
        case .tier: "the class of their rates (live)"
        case .liveTTL: "the interval of live rates, if not FXGW_LIVE_TTL"
        case .quota: "calls of the plan, if not FXGW_QUOTA_MONTHLY"
        case .month: "the month, if not the present one"
        case .man: "the manual page, for man -l -"
        case .instances: "gateways in the fleet, to compare with one that has no fleet (3)"
        }
    }
}
