/// An amount of money as a caller writes it: exact, at least zero.
///
/// Grammar: `1*DIGIT [ "." 1*DIGIT ]`, ASCII only. So no sign (`+5`), no exponent, no blank, and a digit on both sides of
/// a point (`.5` and `5.` are refused). Zeros in front are allowed. At most 36 significant digits, 30 digits before the
/// point and 36 after it: room for a derived result down to 10^-12 to be sent back as an amount, and narrow enough that
/// no conversion overflows. Safe from any thread.
package struct Amount: Hashable, Sendable, CustomStringConvertible {
    /// The value, with the decimals it was written with.
    package let value: ExactNumber

    package static let mostSignificantDigits = 36
    package static let mostWholeDigits = 30
    package static let mostDecimals = 36

    /// Longer texts are refused unread, whatever they hold.
    private static let mostBytes = 128

    /// Reads an amount.
    ///
    /// - Throws: an error that shows the text, cut: `.notANumber`, `.negative` (what follows the minus is an
    ///   amount), `.tooLong`.
    package init(parsing text: some Collection<UInt8>) throws(AmountError) {
        guard text.count <= Self.mostBytes else {
            let isNumber = text.allSatisfy { Self.digit($0) != nil || $0 == UInt8(ascii: ".") }
            throw AmountError(isNumber ? .tooLong : .notANumber, text)
        }
        do throws(Refusal) {
            value = try Self.read(text)
        } catch {
            let isNegative = text.first == UInt8(ascii: "-") && (try? Self.read(text.dropFirst())) != nil
            throw AmountError(isNegative ? .negative : error.reason, text)
        }
    }

    /// Reads an amount, given as text.
    package init(parsing text: some StringProtocol) throws(AmountError) {
        try self.init(parsing: text.utf8)
    }

    /// The amount in plain notation, a JSON number: as it was written but for zeros in front.
    package var description: String { value.description }

    private struct Refusal: Error {
        let reason: AmountError.Reason
    }

    private static func read(_ text: some Collection<UInt8>) throws(Refusal) -> ExactNumber {
        var magnitude: UInt128 = 0
        var (significant, whole, decimals) = (0, 0, 0)
        var (seenPoint, endsInDigit) = (false, false)
        for byte in text {
            guard let digit = digit(byte) else {
                guard byte == UInt8(ascii: "."), endsInDigit, !seenPoint else {
                    throw Refusal(reason: .notANumber)
                }
                (seenPoint, endsInDigit) = (true, false)
                continue
            }
            endsInDigit = true
            if significant > 0 || digit > 0 {
                significant += 1
                if !seenPoint { whole += 1 }
                if significant <= mostSignificantDigits { magnitude = magnitude * 10 + UInt128(digit) }
            }
            if seenPoint { decimals += 1 }
        }
        guard endsInDigit else { throw Refusal(reason: .notANumber) }
        guard significant <= mostSignificantDigits, whole <= mostWholeDigits, decimals <= mostDecimals else {
            throw Refusal(reason: .tooLong)
        }
        return ExactNumber(magnitude: UInt256(magnitude), scale: decimals)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        return digit <= 9 ? digit : nil
    }
}
