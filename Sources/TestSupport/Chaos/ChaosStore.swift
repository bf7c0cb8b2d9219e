/// Where the fleet of a random run has its state.
package enum ChaosStore: String, Sendable, CaseIterable {
    case standalone
    case sentinel
}
