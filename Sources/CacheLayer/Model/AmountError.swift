/// Why a text is no amount of money, with the text itself.
package struct AmountError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Not digits with at most one point between digits: signs, blanks, exponents, grouping, other scripts.
        case notANumber = "is not a plain decimal number such as 12.50"
        case negative = "is negative"
        case tooLong = "has more than 36 significant digits, 30 digits before the point or 36 after it"
    }

    package let reason: Reason
    /// The refused text as printable ASCII, everything else as `?`, at most 32 characters of it.
    package let shown: String

    init(_ reason: Reason, _ text: some Sequence<UInt8>) {
        self.reason = reason
        var bytes: [UInt8] = []
        for byte in text.prefix(Self.mostShown + 1) {
            bytes.append((0x20...0x7E).contains(byte) ? byte : UInt8(ascii: "?"))
        }
        if bytes.count > Self.mostShown {
            bytes.replaceSubrange((Self.mostShown - 3)..., with: "...".utf8)
        }
        shown = String(decoding: bytes, as: UTF8.self)
    }

    private static let mostShown = 32

    /// A sentence for the caller: `amount "12abc" is not a plain decimal number such as 12.50`.
    package var description: String { "amount \"\(shown)\" \(reason.rawValue)" }
}
