/// The faults of a long run: one a minute, a pure function of the seed.
package struct SoakPlan: Hashable, Sendable {
    /// One for each whole minute but the last, each within its minute.
    package let steps: [ChaosStep]

    /// What leaves every process alive, so that what it holds can be followed, and the interval as it is.
    package static let kinds: [ChaosKind] = [
        .pause, .cutOff, .refuse, .slowLink, .breakLink, .burst, .pauseStore, .killStore, .flush,
        .loseControl,
        .evict, .scramble, .slowUpstream, .hangUpstream, .resetUpstream, .failUpstream, .garbleUpstream,
        .shiftUpstream,
    ]

    package init(seed: UInt64, minutes: Int, gateways: Int) {
        var numbers = SeededNumbers(seed: seed)
        var order: [ChaosKind] = []
        steps = (0..<minutes).map { minute in
            // Each kind once before any comes again.
            if order.isEmpty { order = Self.kinds.shuffled(using: &numbers) }
            let kind = order.removeLast()
            return ChaosStep(
                kind: kind, at: .seconds(minute * 60 + 30),
                length: .milliseconds(Int.random(in: kind.lengths, using: &numbers)),
                gateway: kind.isOfGateway ? Int.random(in: 0..<gateways, using: &numbers) : nil,
                amount: Int.random(in: 0..<1_000, using: &numbers))
        }
    }
}
