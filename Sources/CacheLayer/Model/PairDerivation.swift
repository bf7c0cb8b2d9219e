/// How a pair was obtained from a table.
///
/// The raw value is the word in answers.
package enum PairDerivation: String, Hashable, Sendable, CaseIterable {
    /// A currency in itself: exactly 1.
    case identity
    /// A rate of the table, digit for digit.
    case direct
    /// One divided by a rate of the table.
    case inverse
    /// One rate of the table divided by another.
    case cross

    /// Whether the rate was computed: what upstream calls `derived`.
    package var isDerived: Bool { self == .inverse || self == .cross }
}
