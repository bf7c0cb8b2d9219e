import CacheLayer

/// The clients of one reading of the clients file, found by their tokens.
///
/// Immutable; safe from any thread.
final class ClientSet: Sendable {
    let clients: [Client]
    private let tokens: [(digest: TokenDigest, client: Int)]

    /// Numbers the clients; whoever was there before with the same allowance keeps what is left of it.
    init(_ entries: [ClientEntry], names: ClientNames, after earlier: ClientSet? = nil) {
        clients = entries.map { entry in
            let known = earlier?.clients.first { $0.name == entry.name }?.cell
            let cell = entry.allowance.map {
                known?.allowance == $0 ? known ?? AllowanceCell($0) : AllowanceCell($0)
            }
            return Client(entry, number: names.number(of: entry.name), cell: cell)
        }
        tokens = entries.enumerated().flatMap { place, entry in entry.tokens.map { ($0, place) } }
    }

    /// The client that has this token; nil if nobody has.
    ///
    /// Compares with all of them and never stops early: the time tells neither whose it is nor how much of it is right.
    func client(with token: UnsafeRawBufferPointer) -> Client? {
        let given = TokenDigest(of: token)
        var place = -1
        for known in tokens {
            let mask = known.digest.matches(given) ? -1 : 0
            place = (place & ~mask) | (known.client & mask)
        }
        return place < 0 ? nil : clients[place]
    }
}
