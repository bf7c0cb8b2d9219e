/// One symbol of a table: its rate, its freshness class and when it was observed.
package struct SymbolRate: Hashable, Sendable {
    package let currency: Currency
    /// Units of `currency` for one unit of the table's base.
    package let rate: Rate
    /// The symbol's own class where upstream sends one, else the table's.
    package let source: Source
    /// When the value was observed; upstream's own entry where it sends one, else nil: the table's data
    /// time holds.
    package let effectiveAt: Timestamp?
    /// Why this is not from the table's own answer but an earlier good value, kept under its own time;
    /// nil for a current one.
    package let kept: Kept?
    /// The value that is held back in favour of this one; nil unless `kept` is `quarantine`.
    package let quarantined: QuarantinedRate?

    package enum Kept: String, Hashable, Sendable {
        /// The newest answer had no usable number for it.
        case missing
        /// The newest answer's number was too far from this one.
        case quarantine
    }

    package init(
        currency: Currency, rate: Rate, source: Source, effectiveAt: Timestamp? = nil, kept: Kept? = nil,
        quarantined: QuarantinedRate? = nil
    ) {
        self.currency = currency
        self.rate = rate
        self.source = source
        self.effectiveAt = effectiveAt
        self.kept = kept
        self.quarantined = quarantined
    }

    /// The same symbol with the value that was held back; itself if there is none.
    package var accepted: SymbolRate {
        guard let quarantined else { return self }
        return SymbolRate(
            currency: currency, rate: quarantined.rate, source: source, effectiveAt: quarantined.effectiveAt)
    }
}
