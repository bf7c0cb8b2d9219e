/// What one accepted upstream answer says: the rates of one base with all their labels.
///
/// Immutable.
package struct RateTable: Hashable, Sendable {
    package let base: Currency
    /// The class of the whole answer, as upstream names it.
    package let source: Source
    /// Upstream's word for the market's state, passed on unchanged; nil where it sends none.
    package let marketSession: String?
    /// When upstream made the answer, as it came; nil where it sends none.
    package let timestamp: String?
    /// When the data last changed: the order of snapshots within one class.
    package let dataTime: Timestamp
    /// In the order of their codes, without the base itself unless upstream sent it.
    package let symbols: [SymbolRate]
    /// Whether upstream sent a class (`sources`) for each symbol.
    package let hasSources: Bool
    /// Whether upstream sent a time (`effective_at`) for each symbol.
    package let hasEffectiveAt: Bool
    /// Upstream's disclaimer and attribution, passed on unchanged.
    package let notice: String?
    /// Fields that this version doesn't know, as JSON text, in the order they came.
    package let extras: [Extra]
    /// Upstream's decimals of currencies whose smallest unit isn't the one of ISO 4217, by the list that was held when this
    /// came in: part of it, so that a conversion is rounded the same way whenever and wherever it is asked for.
    package let minorUnits: [Currency: Int]

    package struct Extra: Hashable, Sendable {
        package let name: String
        package let json: String
        package init(name: String, json: String) {
            self.name = name
            self.json = json
        }
    }

    package init(
        base: Currency, source: Source, marketSession: String?, timestamp: String?, dataTime: Timestamp,
        symbols: [SymbolRate], hasSources: Bool, hasEffectiveAt: Bool, notice: String?, extras: [Extra] = [],
        minorUnits: [Currency: Int] = [:]
    ) {
        self.base = base
        self.source = source
        self.marketSession = marketSession
        self.timestamp = timestamp
        self.dataTime = dataTime
        self.symbols = symbols.sorted { $0.currency < $1.currency }
        self.hasSources = hasSources
        self.hasEffectiveAt = hasEffectiveAt
        self.notice = notice
        self.extras = extras
        self.minorUnits = minorUnits
    }

    /// The decimals that an amount of a currency is rounded to; nil if it stays as it is.
    package func decimals(of currency: Currency) -> Int? {
        MinorUnits.decimals(of: currency, upstream: minorUnits[currency])
    }

    /// The symbols of which a value is held back, in the order of their codes.
    package var quarantined: [Currency] { symbols.filter { $0.quarantined != nil }.map(\.currency) }

    /// The same table with the values that were held back of these symbols in the place of the old ones.
    package func accepting(_ currencies: some Sequence<Currency>) -> RateTable {
        let accepted = Set(currencies)
        return RateTable(
            base: base, source: source, marketSession: marketSession, timestamp: timestamp,
            dataTime: dataTime, symbols: symbols.map { accepted.contains($0.currency) ? $0.accepted : $0 },
            hasSources: hasSources, hasEffectiveAt: hasEffectiveAt, notice: notice, extras: extras,
            minorUnits: minorUnits)
    }

    /// The symbol's entry, or nil if this table has none.
    ///
    /// The base itself is not looked up here: it is exactly 1.
    package func entry(of currency: Currency) -> SymbolRate? {
        var low = 0
        var high = symbols.count
        while low < high {
            let middle = (low + high) / 2
            if symbols[middle].currency < currency { low = middle + 1 } else { high = middle }
        }
        return low < symbols.count && symbols[low].currency == currency ? symbols[low] : nil
    }
}
