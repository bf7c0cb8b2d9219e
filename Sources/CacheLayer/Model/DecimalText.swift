/// Writes whole and decimal numbers as ASCII digits.
enum DecimalText {
    private static let zero = UInt8(ascii: "0")

    /// Appends `magnitude` × 10^-`scale` in plain notation.
    static func append(_ magnitude: UInt256, scale: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        // At least one digit before the point.
        let digits = max(magnitude.digitCount, scale + 1)
        bytes.append(contentsOf: repeatElement(zero, count: scale > 0 ? digits + 1 : digits))
        var place = bytes.count
        // Where it reaches zero, the point is stepped over; without decimals it never does.
        var decimalsLeft = scale > 0 ? scale : -1
        var rest = magnitude
        while !rest.isZero {
            // In pieces of one machine word: division of 64 bits is many times faster than of 128.
            let (upper, lower) = rest.quotientAndRemainder(dividingBy: piece)
            var word = UInt64(truncatingIfNeeded: lower)
            var digitsLeft = pieceDigits
            while upper.isZero ? word > 0 : digitsLeft > 0 {
                place -= decimalsLeft == 0 ? 2 : 1
                decimalsLeft -= 1
                let (shorter, digit) = word.quotientAndRemainder(dividingBy: 10)
                bytes[place] = zero + UInt8(truncatingIfNeeded: digit)
                word = shorter
                digitsLeft -= 1
            }
            rest = upper
        }
        if scale > 0 { bytes[start + digits - scale] = UInt8(ascii: ".") }
    }

    /// Appends a number of 0 to 99 as two digits.
    static func appendTwo(_ value: Int, to bytes: inout [UInt8]) {
        bytes.append(zero + UInt8(truncatingIfNeeded: value / 10))
        bytes.append(zero + UInt8(truncatingIfNeeded: value % 10))
    }

    /// Appends a number of 0 to 9999 as four digits.
    static func appendFour(_ value: Int, to bytes: inout [UInt8]) {
        appendTwo(value / 100, to: &bytes)
        appendTwo(value % 100, to: &bytes)
    }

    private static let pieceDigits = 19
    private static let piece: UInt128 = 10_000_000_000_000_000_000
}
