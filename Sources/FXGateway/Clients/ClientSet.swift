import CacheLayer

/// The clients of one reading of the clients file, found by their tokens.
///
/// Immutable; safe from any thread.
final class ClientSet: Sendable {
    let clients: [Client]
    private let tokens: TokenTable

    /// Numbers the clients; whoever was there before with the same allowance keeps what is left of it.
    init(_ entries: [ClientEntry], names: ClientNames, after earlier: ClientSet? = nil) {
        clients = entries.map { entry in
            let known = earlier?.clients.first { $0.name == entry.name }?.cell
            let cell = entry.allowance.map {
                known?.allowance == $0 ? known ?? AllowanceCell($0) : AllowanceCell($0)
            }
            return Client(entry, number: names.number(of: entry.name), cell: cell)
        }
        tokens = TokenTable(entries.enumerated().flatMap { place, entry in entry.tokens.map { ($0, place) } })
    }

    /// The client that has this token; nil if nobody has.
    func client(with token: UnsafeRawBufferPointer) -> Client? {
        client(of: TokenDigest(of: token))
    }

    /// The client whose token has this digest; nil if nobody has.
    func client(of digest: TokenDigest) -> Client? {
        tokens.owner(of: digest).map { clients[$0] }
    }
}
