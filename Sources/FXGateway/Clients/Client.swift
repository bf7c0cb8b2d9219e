/// A client that has shown a token of the clients file.
///
/// Immutable but for what is left of its allowance, which all loops share. Safe from any thread.
final class Client: Sendable {
    let name: String
    /// What it is counted by.
    let number: Int
    /// How fresh its answers must be where a request doesn't say.
    let wish: FreshnessWish
    /// Nil without a limit.
    let cell: AllowanceCell?

    init(_ entry: ClientEntry, number: Int, cell: AllowanceCell?) {
        name = entry.name
        wish = entry.wish
        self.number = number
        self.cell = cell
    }
}
