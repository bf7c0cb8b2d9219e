/// A currency code that may stand in a path: three to eight ASCII letters and digits, in upper case.
struct CurrencyCode: Hashable, Sendable {
    let text: String

    /// Accepts any letter case; nil for everything else.
    ///
    /// Works on ASCII bytes: Unicode case mapping would let a dotless i or a long s through.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
        let isLetter = { (byte: UInt8) in byte < 128 && (65...90).contains(byte & 0xDF) }
        guard (3...8).contains(bytes.count), bytes.allSatisfy({ isDigit($0) || isLetter($0) }) else {
            return nil
        }
        self.text = String(decoding: bytes.map { isLetter($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
    }
}
