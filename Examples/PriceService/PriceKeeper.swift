import ExchangeRateClient
import Foundation

/// Keeps the newest table of one base as a stream tells it, and converts by it while it is fresh.
///
/// A table is judged anew at each conversion: when the stream falls silent the rates grow old here, and are refused from the
/// moment on that the gateway gave as their end.
actor PriceKeeper {
    enum Refusal: Error, Equatable {
        case nothingYet
        case unknown(String)
        case notFresh(Freshness)
        /// The service doesn't say how small its smallest unit is, so no amount of it can be rounded.
        case noSmallestUnit(String)
        case tooPrecise
    }

    /// Digits of an amount: with the 18 of a derived rate the product still fits a `Decimal`, so it is exact.
    static let mostDigits = 18

    /// Digits after the point of each currency's smallest unit: none of yen, three of Kuwaiti dinars.
    private let decimals: [String: Int]
    private var table: StreamedTable?
    private(set) var breaks = 0

    /// Rounds by the units that the service's list has.
    init(_ list: CurrencyList) {
        let known = list.currencies.compactMap { currency in
            currency.decimals.map { (currency.code.uppercased(), $0) }
        }
        decimals = Dictionary(known) { first, _ in first }.filter { (0...Self.mostDigits).contains($0.value) }
    }

    /// Takes events until the stream ends.
    func run(_ stream: RateStream) async throws(ExchangeRateError) {
        for try await event in stream {
            note(event)
        }
    }

    func note(_ event: StreamEvent) {
        switch event {
        case .table(let new): table = new
        case .interrupted: breaks += 1
        case .cooldown: break
        }
    }

    /// The exact product, and that rounded half-even to the smallest unit of `symbol`.
    func convert(
        _ amount: Decimal, to symbol: String, at now: Date = Date()
    ) throws(Refusal) -> (exact: Decimal, rounded: Decimal, until: Date) {
        guard let table else { throw .nothingYet }
        guard let rate = table.latest.rate(of: symbol) else { throw .unknown(symbol) }
        guard let places = decimals[rate.quote] else { throw .noSmallestUnit(symbol) }
        guard Self.digits(amount) <= Self.mostDigits, Self.digits(rate.rate) <= 20 else { throw .tooPrecise }
        let fresh: Fresh<Rate>
        do {
            fresh = try rate.fresh(at: now)
        } catch {
            throw .notFresh(rate.freshness(at: now))
        }
        var exact = amount * fresh.rate
        var rounded = Decimal()
        NSDecimalRound(&rounded, &exact, places, .bankers)
        return (exact, rounded, fresh.until)
    }

    private static func digits(_ number: Decimal) -> Int {
        "\(number)".filter(\.isNumber).drop { $0 == "0" }.count
    }
}
