/// What a decision changes: applied as a whole to exactly the control that was read, or not at all.
struct StoreChange: Hashable, Sendable {
    var control: ControlRecord
    var effects: [StoreEffect] = []
    /// Whether it has to be written also where the store is full: what was spent must not be forgotten.
    var isOwed = false
    /// Later than this by the store's clock it must have no effect.
    var notAfter: UnixMilliseconds
}
