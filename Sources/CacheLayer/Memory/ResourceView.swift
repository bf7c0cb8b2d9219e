/// All that a request needs to know of one resource: what is held and how its refreshing stands.
///
/// Immutable.
package struct ResourceView: Sendable {
    /// The newest snapshot in memory; nil while there is none.
    package let adopted: Adopted?
    package let condition: RefreshCondition

    package init(adopted: Adopted?, condition: RefreshCondition) {
        self.adopted = adopted
        self.condition = condition
    }

    /// Before anything is known.
    package static let empty = ResourceView(adopted: nil, condition: .idle)
}
