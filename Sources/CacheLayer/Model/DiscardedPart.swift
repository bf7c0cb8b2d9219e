/// What a division or a cut leaves below the last digit that is kept, as far as rounding asks.
enum DiscardedPart: Sendable {
    case nothing, belowHalf, half, aboveHalf

    /// The part that `remainder` is of `divisor`, with `below` cut off earlier underneath it.
    ///
    /// With anything below, the divisor must be even (a power of ten): half of an odd one lies between two
    /// remainders.
    init(remainder: UInt128, of divisor: UInt128, above below: DiscardedPart = .nothing) {
        let rest = divisor - remainder
        if remainder < rest {
            self = remainder == 0 && below == .nothing ? .nothing : .belowHalf
        } else if remainder > rest {
            self = .aboveHalf
        } else {
            self = below == .nothing ? .half : .aboveHalf
        }
    }
}
