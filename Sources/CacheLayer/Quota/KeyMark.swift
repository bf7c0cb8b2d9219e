/// Tells upstream keys apart without naming one.
///
/// The first 32 bits of a salted SHA-256, in hexadecimal: equal on every instance with the same key, so that the refusal of
/// a key stops those that hold it and nobody else. Too short to find a key by: for each mark there are as many keys as
/// bits are missing, and whoever can try a key has it.
package struct KeyMark: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let text: String

    /// No key at all.
    package static let anonymous = KeyMark(stored: "anonymous")

    /// The mark of a key; `salt` keeps the marks of different fleets and upstreams apart.
    package init(of key: String, salt: String) {
        let digest = ContentDigest(of: Array("\(salt)\u{0}\(key)".utf8)).bytes
        text = digest.prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// One read back from the store.
    package init(stored text: some StringProtocol) { self.text = String(text) }

    package var description: String { text }

    package static func < (left: KeyMark, right: KeyMark) -> Bool { left.text < right.text }
}
