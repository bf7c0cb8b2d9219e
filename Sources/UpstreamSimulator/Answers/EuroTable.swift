/// All currencies that had a value at one moment, each against the euro, with the euro itself among them.
struct EuroTable: Sendable {
    let fix: ReplayFix
    /// By symbol, in alphabetical order.
    let legs: [EuroLeg]
    private let positions: [String: Int]

    /// Significant digits of an inverse or a cross, as the upstream publishes them; the bank's own digits are kept as
    /// they are.
    static let crossDigits = 6

    /// The table of a fix, its live symbols moved by `drift` to `time`.
    ///
    /// `mode` says which symbols those are; history has none.
    init(series: ReplaySeries, fix: ReplayFix, mode: SimulatorMode, drift: LiveDrift, at time: SimulatedTime)
    {
        self.fix = fix
        let liveTime = drift.stepStart(at: time)
        var legs = [
            EuroLeg(
                symbol: "EUR", text: "1", value: FixedDecimal(mantissa: 1, scale: 0),
                source: mode.isLive("EUR") ? .live : .ecbDaily,
                effectiveAt: mode.isLive("EUR") ? liveTime : fix.publishedAt)
        ]
        for (symbol, text) in zip(series.rates.symbols, series.rates.texts(ofRow: fix.row)) {
            guard let text, let value = FixedDecimal(parsing: text), !value.isZero else { continue }
            if mode.isLive(symbol) {
                let moved = drift.rate(of: symbol, around: value, at: time)
                legs.append(
                    EuroLeg(
                        symbol: symbol, text: moved.jsonText, value: moved, source: .live,
                        effectiveAt: liveTime))
            } else {
                legs.append(
                    EuroLeg(
                        symbol: symbol, text: text, value: value, source: .ecbDaily,
                        effectiveAt: fix.publishedAt))
            }
        }
        legs.sort { $0.symbol < $1.symbol }
        self.legs = legs
        positions = Dictionary(uniqueKeysWithValues: legs.enumerated().map { ($1.symbol, $0) })
    }

    func leg(_ symbol: String) -> EuroLeg? { positions[symbol].map { legs[$0] } }

    /// Every other currency against `base`, or those of `symbols` that have a value, in the order asked for.
    ///
    /// - Returns: nil if the base has no value.
    func rates(base: String, symbols: [String]?) -> [QuotedRate]? {
        guard let baseLeg = leg(base) else { return nil }
        let wanted = symbols.map { $0.compactMap(leg) } ?? legs
        return wanted.filter { $0.symbol != base }.map { quote(baseLeg, $0) }
    }

    /// One pair; nil if one side has no value.
    func rate(base: String, quote symbol: String) -> QuotedRate? {
        guard let baseLeg = leg(base), let quoteLeg = leg(symbol) else { return nil }
        return quote(baseLeg, quoteLeg)
    }

    private func quote(_ base: EuroLeg, _ quote: EuroLeg) -> QuotedRate {
        let isLive = base.source == .live && quote.source == .live
        // A cross is as old as its older leg and as slow as its slower one.
        let effectiveAt = isLive ? min(base.effectiveAt, quote.effectiveAt) : fix.publishedAt
        let isDirect = base.symbol == "EUR"
        let value =
            isDirect
            ? quote.value : quote.value.divided(by: base.value, significantDigits: Self.crossDigits)
        return QuotedRate(
            symbol: quote.symbol, token: isDirect ? quote.text : value.jsonText, value: value,
            source: isLive ? .live : .ecbDaily, effectiveAt: effectiveAt,
            derivationTenths: isDirect || quote.symbol == "EUR"
                ? nil : Self.derivation(base.value, quote.value))
    }

    /// Half a unit of the last published digit of each leg, relative to its value, summed; rounded up.
    private static func derivation(_ base: FixedDecimal, _ quote: FixedDecimal) -> Int {
        let product = base.mantissa * quote.mantissa
        return Int((50_000 * (base.mantissa + quote.mantissa) + product - 1) / product)
    }
}
