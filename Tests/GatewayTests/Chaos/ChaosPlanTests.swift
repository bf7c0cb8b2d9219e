import TestSupport
import Testing

@Suite("The plan of a random run")
struct ChaosPlanTests {
    private static let plans: [ChaosPlan] = (1...20).flatMap { seed in
        ChaosStore.allCases.map {
            ChaosPlan(ChaosSettings(seed: UInt64(seed), seconds: 60, gateways: 3 + seed % 3, store: $0))
        }
    }

    @Test("is the same for the same seed and another one for another seed")
    func pure() {
        for plan in Self.plans { #expect(ChaosPlan(plan.settings) == plan) }
        let storms = Set(Self.plans.map(\.storms))
        #expect(storms.count == Self.plans.count)
    }

    @Test("has every kind of fault within twenty seeds", arguments: ChaosStore.allCases)
    func kinds(store: ChaosStore) {
        let seen = Set(Self.plans.filter { $0.settings.store == store }.flatMap(\.steps).map(\.kind))
        let expected = Set(ChaosKind.allCases.filter { $0.strikes(store) })
        // A trio that is to last has one heir: its master is lost in shorter runs.
        let short = (1...20).flatMap { seed in
            ChaosPlan(ChaosSettings(seed: seed, seconds: 20, store: store)).steps.map(\.kind)
        }
        #expect(seen.union(short) == expected)
    }

    @Test("leaves one gateway well at any time, and strikes nothing twice at once")
    func wellness() {
        for plan in Self.plans {
            for storm in plan.storms {
                #expect(!storm.isEmpty)
                for instant in stride(from: 0, through: 25_000, by: 100) {
                    let now = Duration.milliseconds(instant)
                    let active = storm.filter { $0.at <= now && now <= $0.at + $0.length }
                    #expect(Set(active.map(\.lane)).count == active.count, "\(active)")
                    let struck = Set(active.filter { $0.kind != .burst }.compactMap(\.gateway))
                    #expect(struck.count < plan.settings.gateways, "\(active)")
                }
            }
        }
    }

    @Test("aimed at a safeguard, it has only what that stands against", arguments: ChaosSafeguard.allCases)
    func aimed(safeguard: ChaosSafeguard) {
        for seed in 1...20 {
            let settings = ChaosSettings(seed: UInt64(seed), gateways: 2, safeguard: safeguard)
            let kinds = Set(ChaosPlan(settings).steps.map(\.kind))
            #expect(kinds == Set(safeguard.kinds))
        }
    }
}
