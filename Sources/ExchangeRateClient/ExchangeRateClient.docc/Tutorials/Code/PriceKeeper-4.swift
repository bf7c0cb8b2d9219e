import ExchangeRateClient
import Foundation

actor PriceKeeper {
    private let decimals: [String: Int]
    private var table: StreamedTable?
    private(set) var breaks = 0

    /// Takes what `client.currencies()` gave, once, at the start.
    init(_ list: CurrencyList) {
        let known = list.currencies.compactMap { currency in currency.decimals.map { (currency.code, $0) } }
        decimals = Dictionary(known) { first, _ in first }
    }

    func run(_ stream: RateStream) async throws(ExchangeRateError) {
        for try await event in stream {
            switch event {
            case .table(let new): table = new
            case .interrupted: breaks += 1
            case .cooldown: break
            }
        }
    }

    func convert(_ amount: Decimal, to symbol: String) throws -> Decimal? {
        // Throws `notFresh` once the lifetime is over, also while the stream is broken.
        guard let rate = try table?.latest.rate(of: symbol)?.fresh() else { return nil }
        guard let places = decimals[rate.quote] else { return nil }
        var exact = amount * rate.rate
        var rounded = Decimal()
        NSDecimalRound(&rounded, &exact, places, .bankers)
        return rounded
    }
}
