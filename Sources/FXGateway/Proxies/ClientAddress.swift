import HTTPEngine

/// From where a request comes, as far as that can be believed.
///
/// For the access log; no decision hangs on it.
struct ClientAddress: Hashable, Sendable {
    /// An address or `unix`, never a byte that a client chose; empty if the peer has gone.
    let text: String
    /// The peer that asks for it, where that is another one.
    var proxy: String?
    /// Why what the request says of its way was not believed, or not all of it; nil if nothing was left aside.
    var ignored: Ignored?

    /// Why it was left aside; the raw value is the word for the metric.
    enum Ignored: String, CaseIterable, Sendable {
        /// The peer is none of the trusted proxies.
        case untrusted
        /// What a trusted proxy noted is no address.
        case malformed
        /// `Forwarded` and `X-Forwarded-For` name different clients: the proxy writes one of them, and the other one came
        /// through it from outside.
        case conflicting
    }

    /// More proxies than that are no way that a request takes.
    private static let mostHops = 32

    /// Where a request comes from: the peer, or what trusted proxies have noted.
    static func of(_ request: HTTPRequest, _ proxies: TrustedProxies) -> ClientAddress {
        let peer = request.peerAddress
        guard !proxies.isEmpty else { return ClientAddress(text: peer) }
        var forwarded: [IPAddress?]?
        var forwardedFor: [IPAddress?]?
        request.forEachField { name, value in
            if name.elementsEqual("forwarded".utf8, by: Self.isSameLetter) {
                forwarded = (forwarded ?? []) + ForwardedHops.ofForwarded(value)
            } else if name.elementsEqual("x-forwarded-for".utf8, by: Self.isSameLetter) {
                forwardedFor = (forwardedFor ?? []) + ForwardedHops.ofForwardedFor(value)
            }
        }
        return judge(peer: peer, forwarded: forwarded, forwardedFor: forwardedFor, proxies)
    }

    /// The decision: hops are nil where there is no such field.
    static func judge(
        peer: String, forwarded: [IPAddress?]?, forwardedFor: [IPAddress?]?, _ proxies: TrustedProxies
    ) -> ClientAddress {
        guard forwarded != nil || forwardedFor != nil else { return ClientAddress(text: peer) }
        guard proxies.contains(peer: peer) else { return ClientAddress(text: peer, ignored: .untrusted) }
        let found = [forwarded, forwardedFor].compactMap { $0 }.map { client(of: $0, proxies) }
        guard found.allSatisfy({ $0.address == found[0].address }) else {
            return ClientAddress(text: peer, ignored: .conflicting)
        }
        let ignored: Ignored? = found.contains(where: \.isCut) ? .malformed : nil
        guard let address = found[0].address else { return ClientAddress(text: peer, ignored: ignored) }
        return ClientAddress(text: address.description, proxy: peer, ignored: ignored)
    }

    /// The rightmost hop that isn't a trusted proxy: what stands left of it is that hop's own word, and isn't looked at.
    ///
    /// If all are proxies the first of them. Cut where a hop is no address: then the last one that is.
    private static func client(
        of hops: [IPAddress?], _ proxies: TrustedProxies
    ) -> (address: IPAddress?, isCut: Bool) {
        var last: IPAddress?
        for hop in hops.reversed().prefix(mostHops) {
            guard let hop else { return (last, true) }
            last = hop
            if !proxies.contains(hop) { return (hop, false) }
        }
        return (last, hops.count > mostHops)
    }

    private static func isSameLetter(_ byte: UInt8, _ lowercase: UInt8) -> Bool {
        byte == lowercase || (byte | 0x20 == lowercase && (0x41...0x5A).contains(byte))
    }
}
