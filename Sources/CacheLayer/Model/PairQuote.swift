/// The rate of a pair, computed from one table, with everything an answer says about it.
///
/// Both legs of a cross come from the same table, so a pair and its opposite are known together and multiply to 1
/// within 10^-17. Immutable; no I/O.
package struct PairQuote: Hashable, Sendable {
    package let base: Currency
    package let quote: Currency
    package let derivation: PairDerivation
    /// Units of `quote` for one unit of `base`: the table's own text if direct, exactly 1 for an identity,
    /// else 18 significant digits (or all before the point, if those are more), half-even, rounded once, without
    /// closing zeros.
    package let rate: Rate
    /// The table's base, for a cross; else nil.
    package let via: Currency?
    /// The table's rates that an inverse or a cross was computed from, the base's first; else empty.
    package let legs: [Leg]
    /// The bound of the derivation's error in basis points, with one decimal; nil if nothing was derived.
    package let derivationBpsMax: ExactNumber?
    /// The slowest class of the currencies involved, in the order of `Source.slowness`.
    package let source: Source
    /// When the values were observed: the older time of the currencies involved.
    package let effectiveAt: Timestamp
    /// Why a rate is an earlier good one, if one is; of two reasons, quarantine.
    package let kept: SymbolRate.Kept?

    /// What the rate is a quotient of: table rates, or 1 for the table's base.
    let numerator: Rate
    let denominator: Rate

    /// A rate of the table that a derived one was computed from: `rate` units for one of the table's base.
    package struct Leg: Hashable, Sendable {
        package let currency: Currency
        package let rate: Rate
    }

    /// The pair as `table` has it.
    ///
    /// The table's base is exactly 1, whatever the table may say of it.
    ///
    /// - Throws: `.unknown` with the code that the table doesn't have; also for a pair of one unknown code
    ///   with itself.
    package init(_ base: Currency, _ quote: Currency, in table: RateTable) throws(PairError) {
        let baseEntry = try Self.entry(of: base, in: table)
        let quoteEntry = base == quote ? nil : try Self.entry(of: quote, in: table)
        self.base = base
        self.quote = quote
        derivation =
            switch (baseEntry, quoteEntry) {
            case _ where base == quote: .identity
            case (nil, _): .direct
            case (_, nil): .inverse
            default: .cross
            }
        numerator = quoteEntry?.rate ?? .one
        denominator = derivation.isDerived ? baseEntry?.rate ?? .one : .one
        via = derivation == .cross ? table.base : nil
        legs =
            derivation.isDerived
            ? [baseEntry, quoteEntry].compactMap { $0.map { Leg(currency: $0.currency, rate: $0.rate) } } : []
        source = Self.slower(baseEntry?.source, quoteEntry?.source) ?? table.source
        effectiveAt =
            Self.older(
                baseEntry.map { $0.effectiveAt ?? table.dataTime },
                quoteEntry.map { $0.effectiveAt ?? table.dataTime }) ?? table.dataTime
        kept = Self.graver(baseEntry?.kept, quoteEntry?.kept)
        derivationBpsMax = Self.bound(legs)
        rate = derivation.isDerived ? try Self.divided(numerator, by: denominator) : numerator
    }

    /// The pair's exact value, not yet divided.
    var ratio: ExactRatio {
        ExactRatio(
            numerator: UInt256(numerator.mantissa.magnitude), denominator: denominator.mantissa.magnitude,
            scale: numerator.scale - denominator.scale)
    }

    /// The code's entry; nil for the table's base.
    private static func entry(
        of currency: Currency, in table: RateTable
    ) throws(PairError) -> SymbolRate? {
        if currency == table.base { return nil }
        guard let entry = table.entry(of: currency) else { throw .unknown(currency) }
        return entry
    }

    private static func slower(_ left: Source?, _ right: Source?) -> Source? {
        guard let left, let right else { return left ?? right }
        return Source.isFaster(left, right) ? right : left
    }

    private static func older(_ left: Timestamp?, _ right: Timestamp?) -> Timestamp? {
        guard let left, let right else { return left ?? right }
        return right.instant < left.instant ? right : left
    }

    private static func graver(_ left: SymbolRate.Kept?, _ right: SymbolRate.Kept?) -> SymbolRate.Kept? {
        left == .quarantine || right == .quarantine ? .quarantine : left ?? right
    }

    private static func divided(_ numerator: Rate, by denominator: Rate) throws(PairError) -> Rate {
        guard let quotient = try? numerator.exact.divided(by: denominator.exact), let rate = Rate(quotient)
        else {
            throw .outOfRange
        }
        return rate
    }

    /// What the unpublished digits of the legs can move the result by, in basis points, rounded up to 0.1.
    ///
    /// A leg may be off by half a unit of its last published digit: relative to its value, 1 / (2 × mantissa).
    /// The sum over the legs is counted in tenths of a basis point (10^-5).
    private static func bound(_ legs: [Leg]) -> ExactNumber? {
        guard let first = legs.first else { return nil }
        let halfTenths: UInt128 = 50_000
        let (tenths, rest) = halfTenths.quotientAndRemainder(dividingBy: first.rate.mantissa.magnitude)
        guard legs.count == 2 else {
            return ExactNumber(magnitude: UInt256(tenths + (rest > 0 ? 1 : 0)), scale: 1)
        }
        let (a, b) = (first.rate.mantissa.magnitude, legs[1].rate.mantissa.magnitude)
        let (otherTenths, otherRest) = halfTenths.quotientAndRemainder(dividingBy: b)
        // rest / a + otherRest / b, rounded up, is 0, 1 or 2. All products stay below 10^77.
        let sum = UInt256(product: rest, b).adding(UInt256(product: otherRest, a))
        let extra: UInt128 = sum == .zero ? 0 : sum.map { $0 <= UInt256(product: a, b) } == true ? 1 : 2
        return ExactNumber(magnitude: UInt256(tenths + otherTenths + extra), scale: 1)
    }
}
