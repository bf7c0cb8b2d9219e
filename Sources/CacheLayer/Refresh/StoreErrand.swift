/// What an instance asks the store for.
enum StoreErrand: Hashable, Sendable {
    case look, read, begin, finish, restore
    /// An operator's order.
    case order

    /// Whether the store can't answer it without writing.
    var isWrite: Bool { self != .look && self != .read }
}
