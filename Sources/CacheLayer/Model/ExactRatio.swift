/// A quotient that hasn't been divided yet: `numerator` / `denominator` × 10^-`scale`.
///
/// Keeps a conversion exact until its one rounding at the end. The denominator isn't zero; the scale may be negative.
struct ExactRatio: Sendable {
    /// Significant digits of an inverse, a cross and every other quotient.
    ///
    /// Published rates have ten or so, a reader's `Double` holds fifteen to seventeen: eighteen loses nothing of
    /// either, and the product of a pair's two directions is 1 to within 10^-17.
    static let significantDigits = 18

    let numerator: UInt256
    let denominator: UInt128
    let scale: Int

    init(numerator: UInt256, denominator: UInt128, scale: Int) {
        self.numerator = numerator
        self.denominator = denominator
        self.scale = scale
    }

    /// The exact product of a quotient and a number.
    ///
    /// - Throws: `.outOfRange` if the product of the numerators needs more than 77 digits.
    init(_ ratio: ExactRatio, times factor: ExactNumber) throws(ExactNumberError) {
        let product = try ExactNumber(magnitude: ratio.numerator, scale: 0).multiplied(by: factor)
        self.init(
            numerator: product.magnitude, denominator: ratio.denominator,
            scale: ratio.scale + factor.scale)
    }

    /// The value with exactly `decimals` decimals, rounded once from the exact quotient.
    ///
    /// - Throws: `.outOfRange` if the result needs more than 77 digits.
    func rounded(decimals: Int, _ mode: RoundingMode) throws(ExactNumberError) -> ExactNumber {
        let (quotient, discarded) = try quotient(shiftedBy: decimals - scale)
        return ExactNumber(
            magnitude: try Self.round(quotient, discarded, mode), scale: decimals)
    }

    /// The value with `significantDigits` digits, half-even, rounded once from the exact quotient.
    ///
    /// With `leastDecimals` as many more digits as it takes to have that many decimals. May end in zeros.
    ///
    /// - Throws: `.outOfRange` if the result needs more than 77 digits.
    func rounded(
        significantDigits: Int, leastDecimals: Int = 0
    ) throws(ExactNumberError) -> ExactNumber {
        guard !numerator.isZero else { return .zero }
        // The quotient shifted like this has the digits asked for or one more.
        let shift =
            significantDigits - numerator.digitCount + PowersOfTen.digitCount(of: denominator)
        guard shift + scale > leastDecimals else { return try rounded(decimals: leastDecimals, .halfEven) }
        var (quotient, discarded) = try quotient(shiftedBy: shift)
        var decimals = shift + scale
        if quotient.digitCount > significantDigits {
            (quotient, discarded) = Self.cut(quotient, discarded, digits: 1)
            decimals -= 1
        }
        return ExactNumber(
            magnitude: try Self.round(quotient, discarded, .halfEven), scale: decimals)
    }

    /// The whole part of numerator / denominator × 10^`shift`, and what is below it.
    private func quotient(
        shiftedBy shift: Int
    ) throws(ExactNumberError) -> (UInt256, DiscardedPart) {
        var (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        var left = shift
        // Long division in steps of up to 38 digits: only the quotient has to fit, not the shifted
        // numerator.
        while left > 0 {
            let step = PowersOfTen.power(min(left, PowersOfTen.highest))
            let (digits, rest) = UInt256(product: remainder, step).quotientAndRemainder(
                dividingBy: denominator)
            guard let longer = quotient.multiplied(by: step)?.adding(digits) else { throw .outOfRange }
            (quotient, remainder) = (longer, rest)
            left -= PowersOfTen.highest
        }
        let discarded = DiscardedPart(remainder: remainder, of: denominator)
        return shift < 0 ? Self.cut(quotient, discarded, digits: -shift) : (quotient, discarded)
    }

    private static func cut(
        _ value: UInt256, _ discarded: DiscardedPart, digits: Int
    ) -> (UInt256, DiscardedPart) {
        var (value, discarded, left) = (value, discarded, digits)
        while left > 0 {
            let step = PowersOfTen.power(min(left, PowersOfTen.highest))
            let (shorter, remainder) = value.quotientAndRemainder(dividingBy: step)
            discarded = DiscardedPart(remainder: remainder, of: step, above: discarded)
            value = shorter
            left -= PowersOfTen.highest
        }
        return (value, discarded)
    }

    private static func round(
        _ value: UInt256, _ discarded: DiscardedPart, _ mode: RoundingMode
    ) throws(ExactNumberError) -> UInt256 {
        guard mode.roundsUp(discarded, lastDigitIsOdd: value.low & 1 == 1) else { return value }
        guard let next = value.adding(UInt256(1)) else { throw .outOfRange }
        return next
    }
}
