import ExchangeRateClient
import Foundation

actor PriceKeeper {
    private var table: StreamedTable?
    private(set) var breaks = 0

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
        return amount * rate.rate
    }
}
