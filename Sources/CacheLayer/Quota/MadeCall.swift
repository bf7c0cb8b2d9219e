/// One call that this instance has made to upstream and that the ledger counts.
package struct MadeCall: Hashable, Sendable {
    package let resource: Resource
    /// What the ledger's report counts it as: `latest`, `history`, `currencies`, `account`, `probe`, `forced`.
    package let callClass: String
    /// `YYYY-MM`, the ledger's month in which it was granted.
    package let month: String
    /// Until the resource's next fetch, as granted.
    package let interval: Duration

    package init(resource: Resource, callClass: String, month: String, interval: Duration) {
        self.resource = resource
        self.callClass = callClass
        self.month = month
        self.interval = interval
    }
}
