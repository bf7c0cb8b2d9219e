import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

/// A plain reader that knows upstream by its documented examples alone, and asks the gateway: every member of every sample is
/// there, with the sample's type and, where the gateway holds the sample's own numbers, its digits.
extension SampleAnswerTests {
    static func trees() throws -> [String: JSONTree] {
        let pairs = try samples().compactMap { sample in
            (try? JSONTree.parse(sample.bytes)).map { (sample.name, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// What is asked for each sample that can be asked for.
    static let scenes: [SampleScene] =
        latestScenes + [
            SampleScene(
                sample: "rate-derived.json", target: "/v1/rate/eur-mxn", likeness: .types,
                held: ["latest-all-symbols.json"]),
            SampleScene(sample: "rate-direct.json", target: "/v1/rate/eur-usd", pivot: "EUR"),
            SampleScene(
                sample: "historical-date.json", target: "/v1/2026-06-10/USD?symbols=EUR,GBP"),
            SampleScene(
                sample: "historical-date.json", target: "/v1/2026-06-10?base=USD&symbols=EUR,GBP"),
            SampleScene(
                sample: "historical-forward-filled.json", target: "/v1/2026-06-13/USD?symbols=EUR,GBP"),
            SampleScene(
                sample: "historical-first-day.json", target: "/v1/1999-01-04/EUR?symbols=USD,JPY",
                pivot: "EUR"),
            SampleScene(
                sample: "range-empty.json",
                target: "/v1/range?base=USD&symbols=EUR,GBP&start_date=2026-06-13&end_date=2026-06-14"),
            SampleScene(
                sample: "convert-get.json", target: "/v1/convert/USD/EUR/100", held: ["latest-live-open.json"]
            ),
            SampleScene(
                sample: "convert-get-zero-decimals.json", target: "/v1/convert/EUR/JPY/19.99",
                likeness: .types, held: ["latest-live-open.json"]),
            SampleScene(sample: "currencies.json", target: "/v1/currencies"),
            SampleScene(sample: "currencies.json", target: "/v1/currencies?type=fiat"),
            SampleScene(sample: "currencies-map-variant.json", target: "/v1/currencies"),
            SampleScene(
                sample: "account.json", target: "/v1/account", left: ["email", "org", "key"]),
            SampleScene(
                sample: "account-exhausted.json", target: "/v1/account", left: ["email", "org", "key"]),
        ] + refusalScenes

    /// Each latest table by its path and by its query, whole or by its symbols.
    private static let latestScenes: [SampleScene] = [
        ("latest-live-open.json", "USD", "EUR,GBP,JPY,CHF"),
        ("latest-weekend-mixed.json", "USD", "EUR,GBP,INR,ISK,RON"),
        ("latest-interbank-closed.json", "USD", "EUR,GBP"), ("latest-ecb-daily.json", "USD", "EUR,GBP,PLN"),
        ("latest-fred-daily.json", "USD", "TWD"), ("latest-query-base-compact.json", "USD", "INR"),
        ("latest-base-idr-small-numbers.json", "IDR", "USD,EUR,JPY,KRW"),
        ("latest-quickstart-minimal.json", "USD", ""), ("latest-all-symbols.json", "USD", ""),
        ("latest-stress-many-symbols.json", "USD", ""),
    ].flatMap { sample, base, symbols in
        let query = symbols.isEmpty ? "" : "symbols=\(symbols)"
        return [
            SampleScene(sample: sample, target: "/v1/latest/\(base)?\(query)", pivot: base),
            SampleScene(sample: sample, target: "/v1/latest?base=\(base)&\(query)", pivot: base),
        ]
    }

    private static let refusalScenes: [SampleScene] = [
        ("error-400-bad-date.json", "/v1/2026-13-01/USD"),
        ("error-400-invalid-amount.json", "/v1/convert/USD/EUR/x"),
        ("error-400-missing-parameter.json", "/v1/range?base=USD&symbols=EUR&end_date=2026-04-10"),
        ("error-404-no-data-for-date.json", "/v1/1998-12-31/USD"),
        ("error-422-invalid-pair.json", "/v1/rate/EURUSD"),
        ("error-422-unsupported-base.json", "/v1/rate/xxx-usd"),
        ("error-503-service-unavailable.json", "/v1/2026-06-10/USD?symbols=EUR"),
    ].map { sample, target in
        SampleScene(sample: sample, target: target, likeness: .refusal, held: ["latest-live-open.json"])
    }

    /// Samples that no request to the gateway is answered with, each for a reason that `docs/http-api.md` gives.
    static let unasked: Set = [
        // Other words for what the gateway says in one way.
        "error-400-invalid-symbol.json", "error-404-currency.json",
        // Upstream's trouble with the gateway, never a client's.
        "error-401-invalid-key.json", "error-401-plain-variant.json", "error-403-plan.json",
        "error-403-quota.json", "error-429-ip-rate-limited.json", "error-429-quota.json",
        "error-429-rate-limited.json", "error-500.json", "error-503-live-unavailable.json",
        "error-503-not-json.html", "error-200-result-error.json",
    ]

    @Test("every sample is asked for, or there is a reason why it isn't")
    func everySample() throws {
        let asked = Set(Self.scenes.map(\.sample)).union([
            "convert-post-request.json", "convert-post.json", "range-page-1.json", "range-page-2.json",
            "range-full-page-366.json",
        ])
        #expect(asked.isDisjoint(with: Self.unasked))
        #expect(try Set(Self.samples().map(\.name)) == asked.union(Self.unasked))
    }

    @Test(
        "a reader of the sample reads the gateway's answer: nothing is missing, nothing has another form",
        arguments: scenes)
    func dropIn(scene: SampleScene) async throws {
        try await scene.run { rig, sample in
            if scene.sample.hasPrefix("error-503") {
                let until = rig.time.wall + .seconds(60)
                await rig.show(
                    .year(base: .usd, year: 2026),
                    ResourceView(adopted: nil, condition: .cooldown(until: until)))
            }
            let answer = try rig.ask(scene.target)
            let body = try JSONTree.parse(answer.body)
            guard scene.likeness != .refusal else {
                let status = scene.sample.dropFirst("error-".count).prefix(3)
                #expect("\(answer.status)" == status)
                #expect(body["code"] == sample["code"])
                #expect(Self.missing(sample, body, digits: false).isEmpty)
                return
            }
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.field("content-type") == "application/json")
            let expected = JSONTree.object((sample.members ?? []).filter { !scene.left.contains($0.name) })
            let faults = Self.missing(expected, body, digits: scene.likeness == .digits)
            #expect(faults.isEmpty, "\(faults.joined(separator: "; ")) in \(answer.text.prefix(2_000))")
            for name in scene.left { #expect(body[name] == nil) }
        }
    }

    @Test("the batch of the sample is answered as the sample answers it, digit for digit")
    func batch() async throws {
        let scene = SampleScene(sample: "convert-post.json", target: "", held: ["latest-live-open.json"])
        try await scene.run { rig, sample in
            let order = try #require(try Self.trees()["convert-post-request.json"])
            let answer = try rig.ask(
                "/v1/convert", method: "POST", fields: ["Content-Type: application/json"],
                body: String(decoding: order.encoded, as: UTF8.self))
            #expect(answer.status == 200)
            let faults = Self.missing(sample, try JSONTree.parse(answer.body), digits: true)
            #expect(faults.isEmpty, "\(faults) in \(answer.text)")
        }
    }

    @Test("the rows of both sample pages come as they are, and a full page ends where the sample's does")
    func pages() async throws {
        let trees = try Self.trees()
        let first = try #require(trees["range-page-1.json"])
        let second = try #require(trees["range-page-2.json"])
        let rows = (first["data"]?.elements ?? []) + (second["data"]?.elements ?? [])
        try await SampleScene(sample: "range-page-2.json", target: "").run(rows: rows) { rig in
            let answer = try JSONTree.parse(
                rig.ask("/v1/range?base=USD&symbols=EUR,GBP&start_date=2026-03-30&end_date=2026-04-10").body)
            // Upstream's own first page would not end after five rows: the cap is 366.
            let expected = JSONTree.object(
                (second.members ?? []).map { $0.name == "data" ? .init("data", .array(rows)) : $0 })
            #expect(Self.missing(expected, answer, digits: true).isEmpty)
        }
        let full = SampleScene(sample: "range-full-page-366.json", target: "")
        try await full.run { rig, sample in
            let span = "/v1/range?base=USD&symbols=EUR,GBP&start_date=2024-06-03&end_date=2026-06-12"
            let answer = try JSONTree.parse(rig.ask(span).body)
            // The cursor is opaque: only that it is a text, and that it leads on.
            let opaque = JSONTree.object((sample.members ?? []).filter { $0.name != "next_cursor" })
            #expect(Self.missing(opaque, answer, digits: true).isEmpty)
            let cursor = try #require(answer["next_cursor"]?.string)
            let next = try JSONTree.parse(rig.ask(span + "&cursor=\(cursor)").body)
            #expect(Self.missing(second, next, digits: false).filter { !$0.contains("elements") }.isEmpty)
            #expect(next["data"]?.elements?.first?["date"] == .string("2025-10-28"))
        }
    }

    // MARK: The reader

    /// What a reader of `sample` would miss in `answer`, or find in another form.
    static func missing(
        _ sample: JSONTree, _ answer: JSONTree?, at path: String = "body", digits: Bool
    ) -> [String] {
        guard let answer else { return ["\(path) is missing"] }
        switch (sample, answer) {
        case (.object(let members), .object):
            return members.flatMap {
                missing($0.value, answer[$0.name], at: "\(path).\($0.name)", digits: digits)
            }
        case (.array(let elements), .array(let others)):
            guard elements.count == others.count else {
                return ["\(path) has \(others.count) elements, not \(elements.count)"]
            }
            return zip(elements, others).enumerated().flatMap { place, pair in
                missing(pair.0, pair.1, at: "\(path)[\(place)]", digits: digits)
            }
        case (.number(let text), .number(let other)):
            return !digits || isSame(text, other) ? [] : ["\(path) is \(other), not \(text)"]
        case (.string(let text), .string(let other)):
            return !digits || text == other ? [] : ["\(path) is \(other), not \(text)"]
        case (.bool(let value), .bool(let other)):
            return !digits || value == other ? [] : ["\(path) is \(other)"]
        case (.null, .null): return []
        default: return ["\(path) has another type"]
        }
    }

    /// The same digits; an exponent is written out.
    private static func isSame(_ text: String, _ other: String) -> Bool {
        if text == other { return true }
        guard text.contains("e"), let one = try? Rate(json: text), let two = try? Rate(json: other) else {
            return false
        }
        return one == two
    }
}
