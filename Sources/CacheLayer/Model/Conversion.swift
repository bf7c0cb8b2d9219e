/// An amount turned into another currency.
///
/// Both results are made from the exact quotient amount × numerator / denominator: neither the pair's rounded rate nor
/// the other result stands between. Immutable; no I/O.
package struct Conversion: Hashable, Sendable {
    package let amount: Amount
    package let pair: PairQuote
    /// The result without closing zeros: exact if nothing was derived; else 24 significant digits, half-even,
    /// and as many more as it takes to have 6 decimals (or the minor unit's, if those are more).
    package let unrounded: ExactNumber
    /// The result with the decimals of the minor unit, by `rounding`; equal to `unrounded` if the currency
    /// has no minor unit.
    package let rounded: ExactNumber
    package let rounding: RoundingMode
    /// The decimals of the target's minor unit, or nil if it has none.
    package let minorUnits: Int?

    /// Six more than a rate has, so that the first eighteen are the true ones and not rounded up to.
    private static let significantDigits = 24
    private static let leastDecimals = 6

    /// Converts `amount` of `pair.base` into `pair.quote`.
    ///
    /// - Parameters:
    ///   - amount: how much of the pair's base.
    ///   - pair: the rate, from one table.
    ///   - minorUnits: decimals of the target, from `MinorUnits`; nil to leave the result unrounded.
    ///   - rounding: how the result is brought to the minor unit.
    /// - Throws: `.outOfRange`; can't happen with an `Amount`, published rates and minor units of
    ///   `MinorUnits.range`.
    package init(
        of amount: Amount, at pair: PairQuote, minorUnits: Int?, rounding: RoundingMode = .halfEven
    ) throws(ExactNumberError) {
        let value = try ExactRatio(pair.ratio, times: amount.value)
        let unrounded =
            pair.derivation.isDerived
            ? try value.rounded(
                significantDigits: Self.significantDigits,
                leastDecimals: max(Self.leastDecimals, minorUnits ?? 0))
            : ExactNumber(magnitude: value.numerator, scale: value.scale)
        self.unrounded = unrounded.trimmed
        rounded =
            if let minorUnits { try value.rounded(decimals: minorUnits, rounding) } else { self.unrounded }
        self.amount = amount
        self.pair = pair
        self.rounding = rounding
        self.minorUnits = minorUnits
    }
}
