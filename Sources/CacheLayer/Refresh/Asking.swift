/// When an instance asks the store for the right to fetch a resource next, and what decides that.
package struct Asking: Hashable, Sendable {
    /// Nil while it isn't to be asked for at all.
    package let at: ContinuousClock.Instant?
    package let cause: Cause
    /// How much of the wait is there only to spread the instances.
    package let jitter: Duration

    /// The raw value is the word in explanations.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// Nobody has asked for it within the hour.
        case unwanted = "not_in_demand"
        /// Clients wait for something usable.
        case awaited = "clients_wait"
        /// It is in demand, and nothing is held.
        case nothingHeld = "nothing_held"
        /// What is held is due by its tier.
        case tier
        /// It is due earlier, but something is in the way: the condition says what.
        case heldBack = "held_back"
    }

    package init(at: ContinuousClock.Instant?, cause: Cause, jitter: Duration = .zero) {
        self.at = at
        self.cause = cause
        self.jitter = jitter
    }
}
