/// A decimal number of at least zero, exact: `magnitude` × 10^-`scale`.
///
/// Holds 77 digits; every operation is exact or says that it can't be, but for the ones that name their rounding. Equal
/// and ordered by value (1.10 is 1.1); prints in plain notation with all digits of its scale. Safe from any thread.
package struct ExactNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// All digits as one integer.
    package let magnitude: UInt256
    /// How many of the digits are decimals; at least 0.
    package let scale: Int

    package static let zero = ExactNumber(magnitude: .zero, scale: 0)

    package init(magnitude: UInt256, scale: Int) {
        precondition(scale >= 0, "a scale isn't negative")
        self.magnitude = magnitude
        self.scale = scale
    }

    /// The value without the zeros that end its decimals: 150.500 becomes 150.5, 100 stays.
    package var trimmed: ExactNumber {
        var magnitude = magnitude
        var scale = scale
        while scale > 0 {
            let (shorter, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
            guard digit == 0 else { break }
            magnitude = shorter
            scale -= 1
        }
        return ExactNumber(magnitude: magnitude, scale: scale)
    }

    /// The exact product.
    ///
    /// - Throws: `.outOfRange` if it needs more than 77 digits.
    package func multiplied(by factor: ExactNumber) throws(ExactNumberError) -> ExactNumber {
        let product: UInt256? =
            if let word = factor.magnitude.word {
                magnitude.multiplied(by: word)
            } else if let word = magnitude.word {
                factor.magnitude.multiplied(by: word)
            } else {
                nil  // Two factors of at least 2^128 each.
            }
        guard let product else { throw .outOfRange }
        return ExactNumber(magnitude: product, scale: scale + factor.scale)
    }

    /// The quotient to 18 significant digits (or all before the point, if those are more), half-even, rounded
    /// once, without closing zeros.
    ///
    /// - Throws: `.dividedByZero`, or `.outOfRange` if the divisor has more than 38 digits or the quotient
    ///   77.
    package func divided(by divisor: ExactNumber) throws(ExactNumberError) -> ExactNumber {
        guard !divisor.magnitude.isZero else { throw .dividedByZero }
        guard let denominator = divisor.magnitude.word else { throw .outOfRange }
        let ratio = ExactRatio(
            numerator: magnitude, denominator: denominator, scale: scale - divisor.scale)
        return try ratio.rounded(significantDigits: ExactRatio.significantDigits).trimmed
    }

    /// The value with exactly so many decimals, rounded once.
    ///
    /// - Throws: `.outOfRange` if the result needs more than 77 digits.
    package func rounded(
        decimals: Int, _ mode: RoundingMode
    ) throws(ExactNumberError) -> ExactNumber {
        try ExactRatio(numerator: magnitude, denominator: 1, scale: scale).rounded(decimals: decimals, mode)
    }

    /// Plain notation: digits, and a point with `scale` decimals if there are any; never an exponent.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what `description` says, as ASCII.
    package func append(to bytes: inout [UInt8]) {
        DecimalText.append(magnitude, scale: scale, to: &bytes)
    }

    package static func == (left: ExactNumber, right: ExactNumber) -> Bool {
        if left.scale == right.scale { return left.magnitude == right.magnitude }
        return left.compared(with: right) == 0
    }

    package static func < (left: ExactNumber, right: ExactNumber) -> Bool {
        left.compared(with: right) < 0
    }

    package func hash(into hasher: inout Hasher) {
        let shortest = trimmed
        hasher.combine(shortest.magnitude)
        hasher.combine(shortest.scale)
    }

    /// Negative if this is less than `other`, 0 if equal, positive if greater.
    private func compared(with other: ExactNumber) -> Int {
        if scale > other.scale { return -other.compared(with: self) }
        // What doesn't fit any more is above everything that does.
        guard let aligned = magnitude.multiplied(byTenTo: other.scale - scale) else { return 1 }
        if aligned == other.magnitude { return 0 }
        return aligned < other.magnitude ? -1 : 1
    }
}
