import Testing

@testable import CacheLayer

@Suite("The key names")
struct StoreKeysTests {
    @Test(
        "share one hash tag that no fleet's name can end or imitate",
        arguments: [
            ("default", "api.exchangerate.dev:443", "{fxgw:default:api.exchangerate.dev:443}:"),
            ("a:b", "[::1]:8080", "{fxgw:a%3Ab:[::1]:8080}:"), ("a}b{", "h:1", "{fxgw:a%7Db%7B:h:1}:"),
            ("ü %", "h:1", "{fxgw:%C3%BC%20%25:h:1}:"),
        ])
    func prefix(fleet: String, upstream: String, expected: String) {
        #expect(RedisKeys(fleet: fleet, upstream: upstream).prefix == expected)
    }

    @Test("differ where fleets or upstreams differ")
    func distinct() {
        let pairs = [("a", "b:1"), ("a:b", "1"), ("a%3Ab", "1"), ("a", "b%3A1"), ("A", "b:1")]
        #expect(Set(pairs.map { RedisKeys(fleet: $0.0, upstream: $0.1).prefix }).count == pairs.count)
    }

    @Test("name the resource, the snapshot and the month last")
    func names() throws {
        let keys = RedisKeys(fleet: "f", upstream: "u:1")
        #expect(keys.snapshot(of: StoreBench.usd) == "{fxgw:f:u:1}:snap:latest:USD")
        let id = try #require(SnapshotID(parsing: "01J0F3ZK7Q-7f3a9c2e"))
        #expect(keys.archive(of: id) == "{fxgw:f:u:1}:archive:01J0F3ZK7Q-7f3a9c2e")
        let month = try #require(Month(text: "2026-03"))
        #expect(keys.ledger(of: month) == "{fxgw:f:u:1}:ledger:2026-03")
    }
}
