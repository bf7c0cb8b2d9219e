import CSodium

/// The SHA-256 of a client's token: all that is kept of it.
///
/// Compared without an early exit. Interpolating, printing or dumping one gives `(secret)`.
package struct TokenDigest: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    // Four words and no array: a lookup compares many of them and must not allocate.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Bytes of a digest.
    package static let count = 32

    /// The digest of a token's bytes (FIPS 180-4); no allocation.
    package init(of token: UnsafeRawBufferPointer) {
        let bytes = token.bindMemory(to: UInt8.self).baseAddress
        withUnsafeMutableBytes(of: &words) { digest in
            guard let place = digest.bindMemory(to: UInt8.self).baseAddress else { return }
            crypto_hash_sha256(place, bytes, UInt64(token.count))
        }
    }

    /// Reads 64 hexadecimal digits in any letter case; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.count else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    /// Whether both are the same, in a time that doesn't depend on where they differ.
    package func matches(_ other: TokenDigest) -> Bool {
        withUnsafeBytes(of: words) { mine in
            withUnsafeBytes(of: other.words) { theirs in
                sodium_memcmp(mine.baseAddress, theirs.baseAddress, Self.count) == 0
            }
        }
    }

    /// Lends the bytes of the digest: for the one who finds by it; not for show.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: words, body)
    }

    package static func == (left: TokenDigest, right: TokenDigest) -> Bool { left.matches(right) }

    package func hash(into hasher: inout Hasher) {
        withUnsafeBytes(of: words) { hasher.combine(bytes: $0) }
    }

    package var description: String { "(secret)" }
    package var debugDescription: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
