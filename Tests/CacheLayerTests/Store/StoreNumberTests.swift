import Testing

@testable import CacheLayer

@Suite("Numbers that the store tells")
struct StoreNumberTests {
    private static let most: Int64 = 999_999_999_999_999

    private func strings(_ texts: [String]) -> RedisReply { .array(texts.map { .string(Array($0.utf8)) }) }

    @Test(
        "are cut at fifteen digits, so that nothing made of them runs over (R19)",
        arguments: [(Int64.max, most), (Int64.min, -most), (most + 1, most), (most, most), (-1, -1)])
    func replies(told: Int64, read: Int64) throws {
        let word = String(told)
        let head = [word, "birth", word, "2026-09"] + Array(repeating: word, count: 8)
        let cooldown = ["short", word, word, "rate_limited", ""]
        let reply = try #require(
            ScriptsReply(
                .array([
                    .string(Array("seen".utf8)), strings([word, "newer", word, word]),
                    strings(head + cooldown),
                ])))
        #expect(reply.number(0) == read && reply.duration(0) == .milliseconds(read))
        #expect(reply.garbage == read)
        let shadow = try #require(reply.shadow)
        #expect(shadow.now.value == read && shadow.nextAt?.value == read && shadow.epoch.value == read)
        #expect([shadow.used, shadow.reserved, shadow.plan, shadow.external].allSatisfy { $0 == read })
        #expect(shadow.cooldowns.map(\.rest) == [.milliseconds(read)] && shadow.instances == read)
    }

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
