/// A currency code: three to eight upper-case ASCII letters or digits, packed into one word.
///
/// ISO 4217 codes, metals (XAU), retired and new codes alike: which of them exist is what upstream's table says, no list
/// of ours. Ordered by its text. Safe from any thread.
package struct Currency: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The code's bytes, first byte highest, padded with zeros; so the numeric order is the order of the
    /// text.
    package let packed: UInt64

    /// Reads a code in any letter case.
    ///
    /// Works on ASCII bytes alone: Unicode case mapping would let "ıNR" or "uſd" through.
    ///
    /// - Returns: nil unless the bytes match `[A-Za-z0-9]{3,8}`.
    package init?(parsing bytes: some Sequence<UInt8>) {
        var packed: UInt64 = 0
        var count = 0
        for byte in bytes {
            count += 1
            guard count <= 8 else { return nil }
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): packed = packed << 8 | UInt64(byte & 0xDF)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                packed = packed << 8 | UInt64(byte)
            default: return nil
            }
        }
        guard count >= 3 else { return nil }
        self.packed = packed << UInt64(8 * (8 - count))
    }

    /// Reads a code in any letter case; nil unless the text matches `[A-Za-z0-9]{3,8}`.
    package init?(_ text: some StringProtocol) {
        self.init(parsing: text.utf8)
    }

    /// The code in upper case.
    package var code: String { String(decoding: bytes, as: UTF8.self) }

    package var description: String { code }

    /// The code's bytes, without padding.
    package var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: packed >> UInt64(56 - 8 * $0)) }.filter { $0 != 0 }
    }

    package static func < (left: Currency, right: Currency) -> Bool { left.packed < right.packed }
}
