/// The peers that are believed when they say for whom they ask; none unless configured.
struct TrustedProxies: Hashable, Sendable, CustomStringConvertible {
    /// In the order of the configuration.
    let prefixes: [AddressPrefix]
    /// Whether who connects to a socket in the file system is one.
    let hasUnix: Bool

    /// More than any fleet of proxies has addresses or networks.
    static let most = 64
    /// The word for peers on a socket in the file system, and what the engine calls such a peer.
    static let unix = "unix"

    static let none = TrustedProxies(prefixes: [], hasUnix: false)

    private init(prefixes: [AddressPrefix], hasUnix: Bool) {
        self.prefixes = prefixes
        self.hasUnix = hasUnix
    }

    /// Reads a list with commas of addresses, prefixes and `unix`; blanks around items are trimmed.
    ///
    /// Nil for an empty list or item, for what is none of these, and for more than 64.
    init?(_ text: String) {
        let items = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.drop { $0 == " " }.trimmingSuffix { $0 == " " }
        }
        guard items.count <= Self.most else { return nil }
        let networks = items.filter { $0 != Self.unix }
        let prefixes = networks.compactMap { AddressPrefix($0) }
        guard prefixes.count == networks.count else { return nil }
        self.init(prefixes: prefixes, hasUnix: networks.count < items.count)
    }

    var isEmpty: Bool { prefixes.isEmpty && !hasUnix }

    func contains(_ address: IPAddress) -> Bool { prefixes.contains { $0.contains(address) } }

    /// Whether the peer of a connection is one, by what the engine calls it.
    func contains(peer: String) -> Bool {
        peer == Self.unix ? hasUnix : IPAddress(parsing: peer.utf8).map { contains($0) } ?? false
    }

    /// As it would be read again.
    var description: String {
        (prefixes.map(\.description) + (hasUnix ? [Self.unix] : [])).joined(separator: ",")
    }
}
