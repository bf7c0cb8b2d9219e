/// What every request says of the instance that sends it.
protocol StoreRequest: Sendable {
    var holder: String { get }
    /// The control's life that this instance knows; nil before it has been told any.
    var birth: String? { get }
    /// The highest version of that life that this instance has seen.
    var version: Int64 { get }
    /// The highest token this instance has ever adopted or been told.
    var floor: FencingToken { get }
    var plan: QuotaPlan { get }
    /// The instance's own clock when it asked; nil where the store's clock is its own.
    var wall: UnixMilliseconds? { get }
}
