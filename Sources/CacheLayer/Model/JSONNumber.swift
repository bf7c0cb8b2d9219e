/// A JSON number token, taken apart: every digit kept, nothing converted.
///
/// The grammar is that of RFC 8259, section 6, to the letter: no plus sign in front, no leading zero, digits on both
/// sides of the point, no blanks.
struct JSONNumber {
    private(set) var isNegative = false
    /// The significant digits as one integer; without meaning if there are more than 38.
    private(set) var mantissa: UInt128 = 0
    /// How many digits there are from the first that isn't zero to the last written one; 0 for a zero.
    private(set) var significantDigits = 0
    /// How many digits stand after the point.
    private(set) var decimals = 0
    /// The exponent if one is written, cut to ±1,000,000: no number that far out is of use here.
    private(set) var exponent: Int?

    /// Reads a token; nil unless all of it is one JSON number.
    init?(_ token: some Collection<UInt8>) {
        var rest = token[...]
        isNegative = Self.take(UInt8(ascii: "-"), from: &rest)
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = takeDigits(from: &rest)
        guard whole > 0, !startsWithZero || whole == 1 else { return nil }
        if Self.take(UInt8(ascii: "."), from: &rest) {
            decimals = takeDigits(from: &rest)
            guard decimals > 0 else { return nil }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            guard let exponent = Self.takeExponent(from: &rest) else { return nil }
            self.exponent = exponent
        }
        guard rest.isEmpty else { return nil }
    }

    private static func take<Bytes: Collection<UInt8>>(_ byte: UInt8, from rest: inout Bytes) -> Bool
    where Bytes.SubSequence == Bytes {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes all digits that come and adds them to the mantissa; says how many.
    private mutating func takeDigits<Bytes: Collection<UInt8>>(from rest: inout Bytes) -> Int
    where Bytes.SubSequence == Bytes {
        var count = 0
        var position = rest.startIndex
        while position != rest.endIndex {
            let digit = rest[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            if significantDigits > 0 || digit > 0 {
                significantDigits += 1
                if significantDigits <= PowersOfTen.highest { mantissa = mantissa * 10 + UInt128(digit) }
            }
            count += 1
            rest.formIndex(after: &position)
        }
        rest = rest[position...]
        return count
    }

    private static func takeExponent<Bytes: Collection<UInt8>>(from rest: inout Bytes) -> Int?
    where Bytes.SubSequence == Bytes {
        let isNegative = take(UInt8(ascii: "-"), from: &rest)
        if !isNegative { _ = take(UInt8(ascii: "+"), from: &rest) }
        guard !rest.isEmpty else { return nil }
        var exponent = 0
        for byte in rest {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            exponent = min(exponent * 10 + Int(digit), 1_000_000)
        }
        rest = rest[rest.endIndex...]
        return isNegative ? -exponent : exponent
    }
}
