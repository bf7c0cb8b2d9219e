import ExchangeRateClient
import Foundation

func listen(to gateway: URL) throws -> RateStream {
    let client = try ExchangeRateClient(.gateway(gateway))
    return try client.stream(base: "EUR")
}
