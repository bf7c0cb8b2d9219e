import Foundation

/// Whether a `Decimal` holds every number of a JSON body.
///
/// `JSONDecoder` cuts a number of more than 38 digits without a word, and a cut amount is a wrong amount.
enum AnswerDigits {
    /// Digits that a `Decimal` holds whatever they are.
    static let most = 38

    /// False if a number outside of texts has more than 38 digits between its first and its last one that isn't zero.
    static func fit(_ body: Data) -> Bool {
        var isText = false
        var isEscaped = false
        var isExponent = false
        var digits = 0
        var zeros = 0
        for byte in body {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "0"): if digits > 0, !isExponent { zeros += 1 }
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                guard !isExponent else { continue }
                digits += zeros + 1
                zeros = 0
                if digits > most { return false }
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): continue
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
            default:
                isText = byte == UInt8(ascii: "\"")
                (digits, zeros, isExponent) = (0, 0, false)
            }
        }
        return true
    }
}
