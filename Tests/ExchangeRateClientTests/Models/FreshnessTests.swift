import Foundation
import TestSupport
import Testing

@testable import ExchangeRateClient

@Suite("Freshness by type")
struct FreshnessTests {
    private static let until = Date(timeIntervalSince1970: 1_781_618_593)  // 2026-06-16T14:03:13Z

    private static func table(_ cache: String?, more: String = "") throws -> Latest {
        let cache = cache.map { #","cache":\#($0)"# } ?? ""
        return try JSONDecoder().decode(
            Latest.self,
            from: Data(
                #"{"base":"USD","rates":{"EUR":0.8,"JPY":157.32},"source":"live","sources":{"EUR":"live","JPY":"ecb_daily"},"data_updated_at":"2026-06-16T14:02:00Z","effective_at":{"JPY":"2026-06-15T14:00:00Z"}\#(more)\#(cache)}"#
                    .utf8))
    }

    @Test("an answer is fresh within its lifetime alone, whatever it says of itself later")
    func lapse() throws {
        let table = try Self.table(#"{"state":"fresh","fresh_until":"2026-06-16T14:03:13Z"}"#)
        #expect(table.freshness(at: Self.until - 1) == .fresh(until: Self.until))
        #expect(table.freshness(at: Self.until) == .stale(nil))
        let fresh = try table.fresh(at: Self.until - 1)
        #expect(fresh.rates["EUR"] == Decimal(string: "0.8") && fresh.isFresh(at: Self.until - 1))
        #expect(!fresh.isFresh(at: Self.until))
        #expect(throws: ExchangeRateError.notFresh(.stale(nil))) { try table.fresh(at: Self.until) }
    }

    @Test(
        "no other state passes for fresh",
        arguments: [
            (
                #"{"state":"stale","reason":"cooldown","fresh_until":"2026-06-16T14:03:13Z"}"# as String?,
                Freshness.stale(.cooldown)
            ),
            (#"{"state":"late","reason":"refreshing"}"#, .late(.refreshing)),
            (#"{"state":"pinned"}"#, .pinned),
            (#"{"state":"lukewarm"}"#, .unstated), (nil, .unstated),
        ])
    func states(cache: String?, expected: Freshness) throws {
        let table = try Self.table(cache)
        #expect(table.freshness(at: Self.until - 1) == expected && !expected.isFresh)
        #expect(throws: ExchangeRateError.notFresh(expected)) { try table.fresh(at: Self.until - 1) }
    }

    @Test(
        "a past day that won't change is settled; one stale symbol makes the table stale, but not the others")
    func symbols() throws {
        #expect(try Self.table(#"{"state":"fresh"}"#).freshness(at: .distantFuture - 1) == .settled)
        let table = try Self.table(
            #"{"state":"fresh","fresh_until":"2026-06-16T14:03:13Z"}"#, more: #","stale_symbols":["JPY"]"#)
        let now = Self.until - 1
        #expect(table.freshness(at: now) == .stale(nil))
        #expect(table.freshness(of: "jpy", at: now) == .stale(nil))
        #expect(table.freshness(of: "EUR", at: now).isFresh)
        let yen = try #require(table.rate(of: "jpy"))
        #expect(
            yen.rate == Decimal(string: "157.32") && yen.source == .ecbDaily
                && !yen.freshness(at: now).isFresh)
        #expect(yen.dataUpdatedAt == WireTime("2026-06-15T14:00:00Z")?.date)
        #expect(try table.rate(of: "EUR")?.fresh(at: now).source == .live && table.rate(of: "XXX") == nil)
    }

    @Test(
        "a wish goes to the gateway as its parameters, and answers of upstream itself are held against it here"
    )
    func wish() async throws {
        let body =
            #"{"result":"success","base":"USD","rates":{"EUR":0.8},"source":"live","data_updated_at":"1970-01-01T00:00:00Z"}"#
        let pinned =
            #"{"result":"success","base":"USD","rates":{"EUR":0.8},"cache":{"state":"pinned","snapshot":"01J0F3ZK7Q-7f3a9c2e"}}"#
        let service = ScriptedService { index in ScriptedService.answer(200, index < 3 ? body : pinned) }
        let client = try service.client()
        let wish = FreshnessWish(maxDataAge: .milliseconds(90_900), sources: [.live], rejectsStale: true)
        await #expect(throws: ExchangeRateError.notFresh(.unstated)) {
            try await client.wishing(wish).latest()
        }
        #expect(service.requests.last?.url.query == "max_data_age=90s&sources=live&on_stale=reject")
        await #expect(throws: ExchangeRateError.notFresh(.unstated)) {
            try await client.wishing(FreshnessWish(sources: [.ecbDaily])).latest()
        }
        #expect(try await client.wishing(FreshnessWish(sources: [.live])).latest().base == "USD")
        _ = try await client.wishing(wish).latest(at: .snapshot("01J0F3ZK7Q-7f3a9c2e"))
        #expect(service.requests.last?.url.query == "snapshot=01J0F3ZK7Q-7f3a9c2e")
        _ = try await client.latest(at: .instant(Date(timeIntervalSince1970: 1_781_618_593)))
        #expect(service.requests.last?.url.query == "as_of=2026-06-16T14%3A03%3A13Z")
        await #expect(throws: ExchangeRateError.invalidArgument(name: "snapshot", value: "../x")) {
            try await client.snapshot("../x")
        }
    }

    @Test("an answer of another moment than the one asked for is refused, as upstream gives it")
    func moments() async throws {
        let bodies = [
            #"{"result":"success","base":"USD","rates":{"EUR":0.8},"source":"live"}"#,
            #"{"result":"success","base":"USD","rates":{"EUR":0.8},"cache":{"state":"fresh","snapshot":"01J0F3ZK7Q-7f3a9c2e"}}"#,
            #"{"result":"success","base":"USD","rates":{"EUR":0.8},"cache":{"state":"pinned","snapshot":"01J0F3ZK7Q-00000000"}}"#,
        ]
        let id = "01J0F3ZK7Q-7f3a9c2e"
        for (index, body) in bodies.enumerated() {
            let client = try ScriptedService { _ in ScriptedService.answer(200, body) }.client()
            func isRefused(_ ask: () async throws -> Latest) async -> Bool {
                do { _ = try await ask() } catch ExchangeRateError.notFresh { return true } catch {
                    return false
                }
                return false
            }
            #expect(await isRefused { try await client.latest(at: .snapshot(id)) })
            #expect(await isRefused { try await client.snapshot(id) })
            // Whichever snapshot was the latest then is the gateway's to say.
            #expect(await isRefused { try await client.latest(at: .instant(Date())) } == (index < 2))
        }
    }

    @Test("an age that no gateway takes is refused by name, at its edge", arguments: [999, 1_000])
    func shortAge(milliseconds: Int) async throws {
        let service = ScriptedService { _ in
            ScriptedService.answer(
                200, #"{"result":"success","base":"USD","rates":{"EUR":0.8},"cache":{"state":"fresh"}}"#)
        }
        let age = Duration.milliseconds(milliseconds)
        let client = try service.client().wishing(FreshnessWish(maxDataAge: age))
        if milliseconds < 1_000 {
            await #expect(throws: ExchangeRateError.invalidArgument(name: "maxDataAge", value: "\(age)")) {
                try await client.latest()
            }
            #expect(service.requests.isEmpty)
        } else {
            _ = try await client.latest()
            #expect(service.requests.last?.url.query == "max_data_age=1s")
        }
    }

    @Test("a batch's newest data time isn't taken for that of a class of its own")
    func batchTimes() async throws {
        let body =
            #"{"result":"success","from":"USD","data_updated_at":"2026-06-16T14:03:13Z","sources":{"EUR":"live","TWD":"fred_daily"},"#
            + #""conversions":[{"to":"EUR","amount":1,"converted":0.8},{"to":"TWD","amount":1,"converted":30}]}"#
        let batch = try await ScriptedService { _ in ScriptedService.answer(200, body) }.client()
            .convert([("EUR", 1), ("TWD", 1)], from: "USD")
        #expect(batch.conversions.map(\.dataUpdatedAt) == [nil, nil] && batch.dataUpdatedAt != nil)
        #expect(batch.conversions.map(\.source) == [.live, .fredDaily])
        let alone = try await ScriptedService { _ in
            ScriptedService.answer(200, body.replacing("fred_daily", with: "live"))
        }.client().convert([("EUR", 1), ("TWD", 1)], from: "USD")
        #expect(alone.conversions.allSatisfy { $0.dataUpdatedAt == alone.dataUpdatedAt })
    }

    @Test("a wish for nothing stale refuses upstream's own answers, whatever their age")
    func unvouched() async throws {
        let service = ScriptedService { _ in ScriptedService.answer() }
        let strict = try service.client().wishing(FreshnessWish(rejectsStale: true))
        await #expect(throws: ExchangeRateError.notFresh(.unstated)) { try await strict.latest() }
        let vouched = ScriptedService { _ in
            ScriptedService.answer(
                200,
                #"{"result":"success","base":"USD","rates":{"EUR":0.8},"cache":{"state":"fresh","fresh_until":"2026-06-16T14:03:13Z"}}"#
            )
        }
        let kept = try await vouched.client().wishing(FreshnessWish(rejectsStale: true)).latest()
        #expect(kept.cache?.state == .fresh)
    }

    @Test("a wish is meant of the latest rates: past days and ranges are asked for and taken without it")
    func pastDays() async throws {
        let wish = FreshnessWish(maxDataAge: .seconds(90), sources: [.live], rejectsStale: true)
        let service = ScriptedService { index in
            ScriptedService.answer(
                200,
                index == 0
                    ? #"{"result":"success","base":"USD","date":"2024-06-14","rates":{"EUR":0.9}}"#
                    : #"{"result":"success","base":"USD","data":[],"has_more":false}"#)
        }
        let client = try service.client().wishing(wish)
        let day = try #require(Day("2024-06-14"))
        let past = try await client.day(day)
        #expect(past.date == day && service.requests.last?.url.query == nil)
        let page = try await client.range(from: day, to: day, base: "USD", symbols: ["EUR"])
        #expect(page.rows.isEmpty)
        #expect(
            service.requests.last?.url.query
                == "base=USD&symbols=EUR&start_date=2024-06-14&end_date=2024-06-14")
    }
}
