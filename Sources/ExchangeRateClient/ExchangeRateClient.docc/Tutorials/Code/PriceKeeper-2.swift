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
}
