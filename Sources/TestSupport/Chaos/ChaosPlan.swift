/// All that befalls a random run: a pure function of its settings.
package struct ChaosPlan: Hashable, Sendable {
    package let settings: ChaosSettings
    /// Calls in flight that the fleet is allowed.
    package let cap: Int
    /// Bases with a table of their own, the pivot first.
    package let bases: String
    /// How often upstream has new data.
    package let liveInterval: Duration
    /// Storms, one after the other, each with its faults by their beginning; a calm follows each.
    package let storms: [[ChaosStep]]

    /// Within which the faults of one storm begin.
    package static let storm = Duration.seconds(8)
    /// A storm and the calm after it take about so long.
    static let round = 20

    package init(_ settings: ChaosSettings) {
        var numbers = SeededNumbers(seed: settings.seed)
        self.settings = settings
        switch settings.safeguard {
        case .extendOnly, .settleOnce, .cooldown: cap = 2
        case nil: cap = Int.random(in: 1...2, using: &numbers)
        case .fence, .cap, .dataOrder: cap = 1
        }
        switch settings.safeguard {
        // What is shown is the pivot's: nothing else is to be struck in its place.
        case .fence, .dataOrder: bases = "EUR"
        case .extendOnly, .settleOnce, .cap, .cooldown, nil: bases = "EUR,USD,GBP"
        }
        // Data that stand still: then only the token tells which of two answers is newer.
        liveInterval = settings.safeguard == .fence ? .seconds(300) : .seconds(1)
        storms = (0..<max(1, settings.seconds / Self.round)).map { _ in
            Self.storm(settings, &numbers)
        }
    }

    /// All faults, whatever their storm.
    package var steps: [ChaosStep] { storms.flatMap(\.self) }

    private static func storm(_ settings: ChaosSettings, _ numbers: inout SeededNumbers) -> [ChaosStep] {
        let kinds = (settings.safeguard?.kinds ?? ChaosKind.allCases).filter { $0.strikes(settings.store) }
        let count = settings.safeguard == nil ? Int.random(in: 4...9, using: &numbers) : 3
        var steps: [ChaosStep] = []
        // Some draws find no room: what is drawn is never more than this.
        for _ in 0..<200 where steps.count < count {
            guard let kind = kinds.randomElement(using: &numbers) else { break }
            let step = ChaosStep(
                kind: kind, at: .milliseconds(Int.random(in: 0...7_500, using: &numbers)),
                length: .milliseconds(Int.random(in: kind.lengths, using: &numbers)),
                gateway: kind.isOfGateway ? Int.random(in: 0..<settings.gateways, using: &numbers) : nil,
                amount: Int.random(in: 0..<1_000, using: &numbers))
            if fits(step, among: steps, of: settings) { steps.append(step) }
        }
        return steps.sorted { ($0.at, $0.kind.rawValue) < ($1.at, $1.kind.rawValue) }
    }

    private static func fits(
        _ step: ChaosStep, among steps: [ChaosStep], of settings: ChaosSettings
    ) -> Bool {
        let isTaken = steps.contains { $0.lane == step.lane && isAtOnce($0, step, effect: step.effect) }
        guard !isTaken else { return false }
        // One limit a storm: each further one doubles the interval for an hour. And a trio has one heir.
        let limits: Set<ChaosKind> = [.limitUpstream, .limitedStart]
        let isRare = limits.contains(step.kind) && settings.safeguard == nil
        guard !isRare || !steps.contains(where: { limits.contains($0.kind) }) else { return false }
        let moves: Set<ChaosKind> = [.killStore, .failOver]
        if settings.store == .sentinel, moves.contains(step.kind) {
            guard settings.seconds < 2 * round, !steps.contains(where: { moves.contains($0.kind) }) else {
                return false
            }
        }
        // Somebody is always well, so that what the fleet has been through is remembered by one of it.
        let struck = (steps + [step]).filter {
            $0.gateway != nil && $0.kind != .burst && isAtOnce($0, step, effect: $0.effect)
        }
        return Set(struck.compactMap(\.gateway)).count < settings.gateways
    }

    /// Whether one may still have an effect while the other goes on.
    private static func isAtOnce(_ step: ChaosStep, _ other: ChaosStep, effect: Duration) -> Bool {
        step.at < other.at + other.length + effect && other.at < step.at + step.length + effect
    }
}
