/// All addresses that begin with the same bits: `10.0.0.0/8`, `2001:db8::/32`, or one address alone.
struct AddressPrefix: Hashable, Sendable, CustomStringConvertible {
    let address: IPAddress
    /// From 0 to the address's width.
    let length: Int

    /// Reads an address, or one with `/` and its length.
    ///
    /// Nil for anything else, also for an address with bits beyond the length: `10.1.2.3/8` is either a slip of the length or
    /// of the address, and the wrong guess would believe strangers.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(parsing: parts[0].utf8) else {
            return nil
        }
        self.address = address
        guard parts.count == 2 else {
            length = address.width
            return
        }
        // The length of a mapped address would count from the front of the longer form.
        guard let length = UnitText.count(parts[1]), length <= address.width,
            address.width == 128 || !parts[0].contains(":")
        else { return nil }
        self.length = length
        let beyond = address.bytes.indices.contains { address.bytes[$0] & ~mask(of: $0) != 0 }
        if beyond { return nil }
    }

    /// Whether the address is one of these; never for one of the other family.
    func contains(_ other: IPAddress) -> Bool {
        other.width == address.width
            && address.bytes.indices.allSatisfy { other.bytes[$0] & mask(of: $0) == address.bytes[$0] }
    }

    var description: String { length == address.width ? "\(address)" : "\(address)/\(length)" }

    /// The bits of a byte that count.
    private func mask(of index: Int) -> UInt8 {
        let bits = min(8, max(0, length - index * 8))
        return bits == 0 ? 0 : 0xFF << (8 - bits)
    }
}
