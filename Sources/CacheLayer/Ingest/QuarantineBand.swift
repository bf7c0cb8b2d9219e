/// How far a symbol's rate may move from one answer to the next without being asked about.
///
/// Exact: no quotient is formed, so the edge itself still passes and the next digit does not.
package struct QuarantineBand: Hashable, Sendable {
    /// Of the last value, in parts of ten thousand; positive.
    package let basisPoints: Int

    package static let standard = QuarantineBand(basisPoints: 1_000)

    package init(basisPoints: Int) {
        precondition((1...1_000_000).contains(basisPoints), "a band is from 0.01 % to 10,000 %")
        self.basisPoints = basisPoints
    }

    /// Whether a rate lies within the band around another one, its edges included.
    ///
    /// Up and down are measured alike, as a share of `last`: from 100 % on no fall leaves the band.
    package func holds(_ rate: Rate, near last: Rate) -> Bool {
        let (value, middle) = (rate.exact, last.exact)
        // 36 digits times 7: it always fits; what didn't would be no near value.
        guard let highest = try? middle.multiplied(by: Self.share(10_000 + basisPoints)), value <= highest
        else { return false }
        guard basisPoints < 10_000 else { return true }
        guard let lowest = try? middle.multiplied(by: Self.share(10_000 - basisPoints)) else { return false }
        return value >= lowest
    }

    private static func share(_ basisPoints: Int) -> ExactNumber {
        ExactNumber(magnitude: UInt256(UInt128(basisPoints)), scale: 4)
    }
}
