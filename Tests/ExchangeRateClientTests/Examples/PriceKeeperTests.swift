import Foundation
import Testing

@testable import ExchangeRateClient
@testable import PriceService

@Suite("The price service's amounts")
struct PriceKeeperTests {
    private static let now = Date(timeIntervalSince1970: 1_781_618_000)  // 2026-06-16T13:53:20Z

    /// A keeper that has been told of one table; `decimals` of yen, of dinars, and none of gold.
    private static func keeper() async throws -> PriceKeeper {
        let list = try JSONDecoder().decode(
            CurrencyList.self,
            from: Data(
                #"{"currencies":[{"code":"USD","decimals":2},{"code":"JPY","decimals":0},{"code":"KWD","decimals":3},{"code":"XAU"}]}"#
                    .utf8))
        let keeper = PriceKeeper(list)
        let event = ServerSentEvent(
            name: "snapshot", id: "01A-1",
            data: #"{"result":"success","base":"EUR","rates":{"USD":1.1195,"JPY":172.995,"KWD":0.34371,"#
                + #""XAU":0.00031,"BHD":0.42},"cache":{"state":"fresh","fresh_until":"2026-06-16T14:03:13Z"},"#
                + #""stream":{"resource":"latest:EUR","gap":false}}"#
        )
        await keeper.note(.table(try StreamEventReader.table(event, isAfterLoss: false)))
        return keeper
    }

    @Test(
        "are rounded to the smallest unit of their currency",
        arguments: [
            ("USD", "22.378805", "22.38"), ("JPY", "3458.17005", "3458"), ("jpy", "3458.17005", "3458"),
            ("KWD", "6.8707629", "6.871"),
        ])
    func units(symbol: String, exact: String, rounded: String) async throws {
        let amount = try #require(Decimal(string: "19.99"))
        let price = try await Self.keeper().convert(amount, to: symbol, at: Self.now)
        #expect("\(price.exact)" == exact && "\(price.rounded)" == rounded)
    }

    @Test("are refused where the list gives no smallest unit, has no such currency, or the rate is old")
    func refused() async throws {
        let keeper = try await Self.keeper()
        for symbol in ["XAU", "BHD"] {
            await #expect(throws: PriceKeeper.Refusal.noSmallestUnit(symbol)) {
                try await keeper.convert(1, to: symbol, at: Self.now)
            }
        }
        await #expect(throws: PriceKeeper.Refusal.unknown("CHF")) {
            try await keeper.convert(1, to: "CHF", at: Self.now)
        }
        await #expect(throws: PriceKeeper.Refusal.notFresh(.stale(nil))) {
            try await keeper.convert(1, to: "USD", at: Self.now + 3_600)
        }
    }
}
