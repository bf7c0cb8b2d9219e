import Testing

@testable import CacheLayer

@Suite("Numbers that the store tells")
struct StoreNumberTests {
    private static let most: Int64 = 999_999_999_999_999

    @Test(
        "are cut in the fleet's messages too, which whoever may publish can write (R19)",
        arguments: [(Int64.max, most), (Int64.min, -most), (17, 17)])
    func events(told: Int64, read: Int64) {
        func event(_ rest: String) -> StoreEvent? {
            RateStoreEvents.event(Array("{\"resource\":\"currencies\",\(rest)}".utf8))
        }
        let next = UnixMilliseconds(read)
        #expect(event("\"kind\":\"failed\",\"next\":\(told)") == .failed(.currencies, next: next))
        #expect(event("\"kind\":\"refused\",\"next\":\(told)") == .refused(.currencies, next: next))
        #expect(
            event("\"kind\":\"cooldown\",\"scope\":\"short\",\"ms\":\(told)")
                == .cooldown(.short, .milliseconds(read)))
    }

    @Test(
        "in names are years that there are, and names only as they are written",
        arguments: [
            "year:USD:-9223372036854775808", "year:USD:10000", "year:USD:+2025", "year:USD:02025",
            "latest:usd",
            "Latest:USD", "year:USD:", "account:", "",
        ])
    func names(name: String) {
        #expect(Resource(name: name) == nil)
    }
}
