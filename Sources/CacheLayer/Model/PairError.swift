/// Why a table gives no rate for a pair.
package enum PairError: Error, Hashable, Sendable {
    /// The table has no rate of this code; of two such codes, the pair's base is named.
    case unknown(Currency)
    /// The quotient doesn't fit a rate.
    ///
    /// Can't happen with published rates, whose bounds `Rate` states.
    case outOfRange
}
