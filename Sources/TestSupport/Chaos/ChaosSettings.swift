/// What a random run is made from: the same settings, the same plan.
package struct ChaosSettings: Hashable, Sendable {
    package var seed: UInt64
    /// How long it shall last, in seconds; the recovery after the last storm may take longer.
    package var seconds: Int
    package var gateways: Int
    package var store: ChaosStore
    /// What the faults are aimed at; nil for a mix of all.
    package var safeguard: ChaosSafeguard?

    package init(
        seed: UInt64, seconds: Int = 20, gateways: Int = 3, store: ChaosStore = .standalone,
        safeguard: ChaosSafeguard? = nil
    ) {
        precondition(gateways >= 2 && seconds > 0, "a random run needs two gateways and some time")
        self.seed = seed
        self.seconds = seconds
        self.gateways = gateways
        self.store = store
        self.safeguard = safeguard
    }
}
