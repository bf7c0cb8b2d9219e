/// How a result is brought to the minor unit of its currency.
///
/// The raw value is the word callers use. Amounts and results are never negative.
package enum RoundingMode: String, Hashable, Sendable, CaseIterable {
    /// To the nearest; a tie goes to the even digit. The default.
    case halfEven = "half_even"
    /// To the nearest; a tie goes away from zero.
    case halfUp = "half_up"
    /// Toward zero: what is below the minor unit is cut off.
    case down
    /// Away from zero: anything below the minor unit adds one.
    case up

    /// Whether the last kept digit grows by one.
    func roundsUp(_ discarded: DiscardedPart, lastDigitIsOdd: Bool) -> Bool {
        switch (self, discarded) {
        case (_, .nothing), (.down, _), (.halfEven, .belowHalf), (.halfUp, .belowHalf): false
        case (.up, _), (.halfEven, .aboveHalf), (.halfUp, .aboveHalf), (.halfUp, .half): true
        case (.halfEven, .half): lastDigitIsOdd
        }
    }
}
