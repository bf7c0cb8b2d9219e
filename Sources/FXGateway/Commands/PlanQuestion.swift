import CacheLayer

/// What `fxgateway plan` is asked: read from its options, the rest from the configuration.
struct PlanQuestion: Equatable, Sendable {
    let recipe: PlanRecipe?
    let bases: [Currency]
    let tier: PlanTier
    let liveTTL: Duration
    let plan: QuotaPlan
    let month: Month
    let instances: Int64
    let asksAccount: Bool

    /// An option whose value isn't understood.
    struct Problem: Error, Equatable {
        let option: CommandOption
        let text: String

        var sentence: String {
            "\(option.rawValue) must be \(option.value ?? "nothing"), not \(SafeText.quoted(text))"
        }
    }

    private static let mostInstances: Int64 = 100_000

    /// `now` names the present month.
    init(
        _ options: CommandOptions, _ configuration: Configuration, now: UnixMilliseconds
    ) throws(Problem) {
        func value<T>(_ option: CommandOption, _ parse: (String) -> T?) throws(Problem) -> T? {
            guard let text = options[option] else { return nil }
            guard let value = parse(text) else { throw Problem(option: option, text: text) }
            return value
        }
        recipe = try value(.recipe) { PlanRecipe(rawValue: $0) }
        let environment = recipe?.environment
        func preset(_ name: ConfigurationName) -> String? {
            environment?.first { $0.key == name.rawValue }?.value
        }
        bases =
            try value(.bases) { text in
                let codes = text.split(separator: ",", omittingEmptySubsequences: false)
                let bases = codes.compactMap { Currency($0) }
                return bases.count == codes.count && Set(bases).count == bases.count ? bases : nil
            } ?? configuration.bases
        tier = try value(.tier) { PlanTier(rawValue: $0) } ?? .live
        liveTTL =
            try value(.liveTTL) { UnitText.duration($0).flatMap { $0 >= .seconds(1) ? $0 : nil } }
            ?? preset(.liveTTL).flatMap(UnitText.duration) ?? configuration.tierPolicy.liveTTL
        let monthly =
            try value(.quota) { Int64($0).flatMap { (1...1_000_000_000).contains($0) ? $0 : nil } }
            ?? preset(.quotaMonthly).flatMap { Int64($0) } ?? configuration.quotaPlan.monthly
        let configured = configuration.quotaPlan
        plan = QuotaPlan(
            monthly: monthly, perMinute: configured.perMinute, perHour: configured.perHour,
            targetPermille: configured.targetPermille, maxInFlight: configured.maxInFlight)
        month = try value(.month) { Month(text: $0) } ?? Month(containing: now)
        instances =
            try value(.instances) { Int64($0).flatMap { (1...Self.mostInstances).contains($0) ? $0 : nil } }
            ?? 3
        asksAccount = configuration.key != nil
    }

    /// What the month comes to, with the pace or without it.
    func forecast(isPaced: Bool) -> PlanForecast {
        PlanForecast(
            plan: plan, month: month,
            tables: bases.map { _ in tier.cadence(liveTTL: liveTTL) }, asksAccount: asksAccount,
            isPaced: isPaced)
    }

    /// The shortest interval of live rates that lasts the whole month without the pace's help, in whole seconds.
    var lastingInterval: Duration {
        let length = (month.next.start - month.start).milliseconds / 1_000
        let days = length / 86_400
        let calls = max(1, plan.monthly * plan.targetPermille / 1_000 - (asksAccount ? days : 0))
        return .seconds((length * Int64(bases.count) + calls - 1) / calls)
    }
}
