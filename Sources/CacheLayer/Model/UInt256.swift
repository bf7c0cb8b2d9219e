/// An unsigned integer of 256 bits: room for the exact product of an amount and a rate.
///
/// Holds every number of 77 decimal digits. Built on the standard library's full-width arithmetic of `UInt128`; nothing
/// wraps: what doesn't fit is nil. Safe from any thread.
package struct UInt256: Hashable, Comparable, Sendable {
    package let high: UInt128
    package let low: UInt128

    package static let zero = UInt256(0)

    package init(_ value: UInt128) { self.init(high: 0, low: value) }

    package init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    /// The exact product of two words; it always fits.
    package init(product left: UInt128, _ right: UInt128) {
        let (high, low) = left.multipliedFullWidth(by: right)
        self.init(high: high, low: low)
    }

    package var isZero: Bool { high == 0 && low == 0 }

    /// The value as one word, or nil if it needs more.
    package var word: UInt128? { high == 0 ? low : nil }

    /// How many decimal digits the value has; 0 for zero.
    package var digitCount: Int {
        guard high != 0 else { return PowersOfTen.digitCount(of: low) }
        let (upper, _) = quotientAndRemainder(dividingBy: PowersOfTen.power(PowersOfTen.highest))
        return PowersOfTen.highest + upper.digitCount
    }

    /// The exact product, or nil if it needs more than 256 bits.
    package func multiplied(by factor: UInt128) -> UInt256? {
        let lower = low.multipliedFullWidth(by: factor)
        let (upper, lost) = high.multipliedReportingOverflow(by: factor)
        guard !lost else { return nil }
        let (sum, carry) = upper.addingReportingOverflow(lower.high)
        return carry ? nil : UInt256(high: sum, low: lower.low)
    }

    /// The product with 10^`exponent`, or nil if it needs more than 256 bits; the exponent isn't
    /// negative.
    package func multiplied(byTenTo exponent: Int) -> UInt256? {
        var product = self
        var left = exponent
        while left > 0, !product.isZero {
            let step = min(left, PowersOfTen.highest)
            guard let next = product.multiplied(by: PowersOfTen.power(step)) else { return nil }
            product = next
            left -= step
        }
        return product
    }

    /// The exact sum, or nil if it needs more than 256 bits.
    package func adding(_ other: UInt256) -> UInt256? {
        let (lower, carry) = low.addingReportingOverflow(other.low)
        let (upper, lost) = high.addingReportingOverflow(other.high)
        let (sum, lostToo) = upper.addingReportingOverflow(carry ? 1 : 0)
        return lost || lostToo ? nil : UInt256(high: sum, low: lower)
    }

    /// The quotient rounded down and what is left over; the divisor isn't zero.
    package func quotientAndRemainder(
        dividingBy divisor: UInt128
    ) -> (quotient: UInt256, remainder: UInt128) {
        guard high != 0 else {
            let (quotient, remainder) = low.quotientAndRemainder(dividingBy: divisor)
            return (UInt256(quotient), remainder)
        }
        let upper = high.quotientAndRemainder(dividingBy: divisor)
        let lower = divisor.dividingFullWidth((upper.remainder, low))
        return (UInt256(high: upper.quotient, low: lower.quotient), lower.remainder)
    }

    package static func < (left: UInt256, right: UInt256) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
