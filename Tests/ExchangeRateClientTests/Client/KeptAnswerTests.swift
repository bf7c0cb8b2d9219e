import Foundation
import TestSupport
import Testing

@testable import ExchangeRateClient

@Suite("Answers asked for again with their tag", .timeLimit(.minutes(3)))
struct KeptAnswerTests {
    private static let body = #"""
        {"result":"success","base":"USD","rates":{"EUR":0.8},"source":"live",
        "cache":{"state":"fresh","snapshot":"01J0F3ZK7Q-7f3a9c2e","fresh_until":"2026-06-16T14:03:13Z"}}
        """#

    @Test("a 304 is the same value with the age and the next refresh of now")
    func notModified() async throws {
        let service = ScriptedService { index in
            index == 0
                ? ScriptedService.answer(200, Self.body, fields: ["ETag": "\"a1\"", "Age": "20"])
                : ScriptedService.answer(
                    304, "",
                    fields: ["ETag": "\"a1\"", "Age": "65", "Fx-Next-Refresh": "2026-06-16T14:03:03Z"])
        }
        let client = try service.client()
        let first = try await client.latest()
        let again = try await client.latest()
        #expect(
            service.requests.map { $0.fields.first { $0.name == "If-None-Match" }?.value } == [nil, "\"a1\""])
        #expect(again.rates == first.rates && again.cache?.snapshot == "01J0F3ZK7Q-7f3a9c2e")
        #expect(first.cache?.age == .seconds(20) && again.cache?.age == .seconds(65))
        #expect(again.cache?.nextRefresh == WireTime("2026-06-16T14:03:03Z")?.date)
        // Another question has no tag yet.
        _ = try? await client.latest(symbols: ["EUR"])
        #expect(service.requests.last?.fields.contains { $0.name == "If-None-Match" } == false)
    }

    @Test("a pause or next refresh that a 304 doesn't speak of is over, and its age is its own")
    func momentary() async throws {
        let service = ScriptedService { index in
            index == 0
                ? ScriptedService.answer(
                    200, Self.body,
                    fields: [
                        "ETag": "\"a1\"", "Age": "20", "Fx-Cooldown-Until": "2026-06-16T14:05:00Z",
                        "Fx-Next-Refresh": "2026-06-16T14:05:00Z",
                    ])
                : ScriptedService.answer(304, "", fields: ["ETag": "\"a1\""])
        }
        let client = try service.client()
        let first = try await client.latest()
        let again = try await client.latest()
        #expect(first.cache?.cooldownUntil != nil && first.cache?.nextRefresh != nil)
        #expect(again.cache?.snapshot == first.cache?.snapshot)
        #expect(again.cache?.cooldownUntil == nil && again.cache?.nextRefresh == nil)
        #expect(first.cache?.age == .seconds(20) && again.cache?.age == nil)
    }

    @Test(
        "what is new replaces what was kept; what must not be stored isn't kept; upstream's client keeps nothing"
    )
    func replaced() async throws {
        let service = ScriptedService { index in
            ScriptedService.answer(
                200, Self.body,
                fields: index < 2
                    ? ["ETag": "\"a\(index)\""] : ["ETag": "\"b\"", "Cache-Control": "no-store"])
        }
        let client = try service.client()
        for _ in 0..<4 { _ = try await client.latest() }
        let sent = service.requests.map { $0.fields.first { $0.name == "If-None-Match" }?.value }
        #expect(sent == [nil, "\"a0\"", "\"a1\"", nil])
    }

    @Test("no more are kept than the limit, and the one unused for the longest time goes")
    func limit() throws {
        var kept = KeptAnswers(limit: 2)
        let answer = RawAnswer(status: 200, fields: ["ETag": "\"x\""], body: Data(), elapsed: .zero)
        kept.keep(answer, for: "a")
        kept.keep(answer, for: "b")
        _ = kept.entry(for: "a")
        kept.keep(answer, for: "c")
        #expect(kept.entry(for: "a") != nil && kept.entry(for: "b") == nil && kept.entry(for: "c") != nil)
        let long = Data(count: KeptAnswers.longestBody + 1)
        kept.keep(RawAnswer(status: 200, fields: ["ETag": "\"x\""], body: long, elapsed: .zero), for: "a")
        #expect(kept.entry(for: "a") == nil)
        var none = KeptAnswers(limit: 0)
        none.keep(answer, for: "a")
        #expect(none.entry(for: "a") == nil)
    }

    @Test(
        "a number that a Decimal can't hold is refused and never cut",
        arguments: [
            ("0.12345678901234567890123456789012345678", true),
            ("0.123456789012345678901234567890123456789", false),
            ("12345678901234567890123456789012345678000000", true), ("1e-39", true),
            (#""0.123456789012345678901234567890123456789""#, true),
            (#""\"",123456789012345678901234567890123456789"#, false),
        ])
    func digits(text: String, fits: Bool) {
        #expect(AnswerDigits.fit(Data(#"{"a":[\#(text)],"b":1}"#.utf8)) == fits)
    }

    @Test("a conversion whose exact result is too long for a Decimal is an error")
    func tooLong() async throws {
        let service = ScriptedService { _ in
            ScriptedService.answer(
                200,
                #"{"result":"success","from":"USD","to":"EUR","amount":1,"converted":1,"result_unrounded":1.234567890123456789012345678901234567891}"#
            )
        }
        let client = try service.client()
        await #expect(throws: ExchangeRateError.undecodable(member: "digits")) {
            try await client.convert(1, from: "USD", to: "EUR")
        }
    }
}
