/// What an answer of upstream says of the month's calls.
package struct UpstreamEvidence: Hashable, Sendable {
    /// Upstream's count of the month's calls.
    package let used: Int64?
    /// What it has left to us.
    package let left: Int64?
    /// Its limit.
    package let limit: Int64?

    /// An answer that says nothing of the month.
    package static let none = UpstreamEvidence()

    package init(used: Int64? = nil, left: Int64? = nil, limit: Int64? = nil) {
        self.used = used
        self.left = left
        self.limit = limit
    }
}
