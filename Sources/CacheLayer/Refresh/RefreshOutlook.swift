/// What the refresher knows of a resource's next fetch beyond how it stands.
package struct RefreshOutlook: Hashable, Sendable {
    /// When this instance asks for it next.
    package let asking: Asking
    /// When a client of this instance has last asked for it; nil if none has.
    package let lastDemand: ContinuousClock.Instant?
    /// When the control allows the next fetch, by the store's clock, as the last look told; nil if it noted nothing.
    package let allowedAt: UnixMilliseconds?
    /// Failed fetches of the fleet in a row, as the last look told.
    package let failures: Int64

    package init(
        asking: Asking, lastDemand: ContinuousClock.Instant?, allowedAt: UnixMilliseconds?, failures: Int64
    ) {
        self.asking = asking
        self.lastDemand = lastDemand
        self.allowedAt = allowedAt
        self.failures = failures
    }

    /// Of a resource that nobody of this instance has asked for.
    package static let nobodys = RefreshOutlook(
        asking: Asking(at: nil, cause: .unwanted), lastDemand: nil, allowedAt: nil, failures: 0)
}
