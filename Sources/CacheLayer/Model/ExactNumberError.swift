/// What exact arithmetic can't give.
package enum ExactNumberError: Error, Hashable, Sendable {
    /// The result has more digits than 256 bits hold (77), or the divisor more than 128 bits (38).
    ///
    /// Can't happen to a pair of published rates, nor to the conversion of an `Amount` by one.
    case outOfRange
    case dividedByZero
}
