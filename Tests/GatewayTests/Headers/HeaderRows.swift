import CacheLayer
import TestSupport

@testable import FXGateway

/// The rows with rates.
extension HeaderRow {
    private static let later = SampleTable.fetchedAt + .seconds(600)

    static let rates =
        [
            held("fresh, 20 s old", age: 20),
            held("the same, derived", age: 20, .idle, "/v1/latest/EUR?symbols=USD,GBP"),
            held("the same, of one pair", age: 20, .idle, "/v1/rate/USD-EUR"),
            held("the same, of a conversion", age: 20, .idle, "/v1/convert/USD/EUR/10"),
            held("stale, a refresh is under way", age: 85, .refreshing),
            held("stale, upstream fails", age: 85, .failing(until: later)),
            held("stale, in a cooldown", age: 85, .cooldown(until: later)),
            held("stale, paced", age: 85, .paced(until: later)),
            held("stale, the month is spent", age: 85, .quotaSpent(until: later)),
            held("stale, the key is refused", age: 85, .keyRejected(until: later)),
            held("stale, these rates are refused", age: 85, .forbidden(until: later)),
            held("stale, the store is away", age: 85, .storeAway(until: later)),
            own("stale, a jump is held back", session: "weekend", kept: .quarantine),
            own("stale, the source stands still", session: "open", kept: nil),
            HeaderRow("filled by this request") {
                try await answer { try await waiting(2, isOwnFetch: true, $0)[0] }
            },
            HeaderRow("joined the request that filled") {
                try await answer { try await waiting(2, isOwnFetch: true, $0)[1] }
            },
            HeaderRow("waited, and another instance fetched") {
                try await answer { try await waiting(1, isOwnFetch: false, $0)[0] }
            },
            known("the client has it, fresh", age: 20, .idle),
            known("the client has it, in a cooldown", age: 85, .cooldown(until: later)),
            HeaderRow("a daily fix on a Sunday, two days old") {
                try await answer { rig in
                    rig.time.advance(by: .seconds(5 * 86_400))
                    await rig.hold(fridaysTable, fetchedAt: friday)
                    return try rig.ask("/v1/latest?symbols=ISK")
                }
            },
            held("late: the fix of today hasn't come", age: 1_707, .idle, "/v1/latest?symbols=ISK"),
            year("a settled past day", "/v1/2025-01-02?symbols=EUR"),
            year("a settled range", "/v1/range?start_date=2025-01-02&end_date=2025-01-03&symbols=EUR"),
            year("a day of this week", "/v1/2026-06-15?symbols=EUR"),
            pinned("a past snapshot, by its id", "snapshot=01M8"),
            pinned("a past snapshot, by an instant", "as_of=2026-06-16T14:02:03Z"),
            held("with `explain=1`", age: 20, .idle, "/v1/latest?symbols=EUR&explain=1"),
            HeaderRow("while draining") {
                try await answer { rig in
                    let client = try rig.client()
                    try client.send(GatewayRig.request("/v1/latest?symbols=EUR"))
                    await rig.waiting(atLeast: 1)
                    let drain = Task { await rig.drain() }
                    while !rig.isDraining { await Task.yield() }
                    await rig.hold(SampleTable.usd)
                    guard let answer = try client.answers(1).answers.first else {
                        throw HeaderRowProblem.noAnswer
                    }
                    _ = await drain.value
                    return answer
                }
            },
            HeaderRow("to a client with an allowance") {
                try await allowed(limit: 3, count: 1, hasFields: true)
            },
        ] + pages

    /// What the gateway says of itself.
    private static let pages =
        [
            "/v1/status", "/v1/sources", "/v1/quota", "/v1/events", "/v1/explain", "/healthz", "/readyz",
            "/metrics", "/",
        ].map {
            held("`\($0)`", .idle, $0)
        } + [
            HeaderRow("`/`, which the client has") {
                try await answer { try $0.ask("/", fields: ["If-None-Match: *"]) }
            },
            HeaderRow("`/readyz` while draining") {
                try await answer { rig in
                    rig.setReadiness(Readiness(isReady: true, isDraining: true, degraded: []))
                    return try rig.ask("/readyz")
                }
            },
            HeaderRow("OPTIONS") { try await answer { try $0.ask("/v1/latest", method: "OPTIONS") } },
        ]

    // MARK: - Their states

    /// Two minutes after the fix of 19 June 2026.
    private static let friday = SampleTable.fetchedAt + .seconds(3 * 86_400)
    private static let fridaysTable = SampleTable.table(
        "USD",
        [
            SymbolRate(
                currency: .sample("ISK"), rate: SampleTable.rate("122.38"), source: .ecbDaily,
                effectiveAt: Timestamp(
                    text: "2026-06-19T14:00:00Z", instant: friday + .seconds(-123)))
        ], source: .ecbDaily)

    private static func own(_ name: String, session: String, kept: SymbolRate.Kept?) -> HeaderRow {
        HeaderRow(name) {
            let old = Timestamp(
                text: "2026-06-16T13:50:00Z", instant: SampleTable.fetchedAt + .seconds(-723))
            let entry = SymbolRate(
                currency: .eur, rate: SampleTable.rate("0.85"), source: .live, effectiveAt: old, kept: kept)
            return try await answer { rig in
                await rig.hold(SampleTable.table("USD", [entry], session: session))
                return try rig.ask("/v1/latest?symbols=EUR")
            }
        }
    }

    private static func known(_ name: String, age: Int64, _ condition: RefreshCondition) -> HeaderRow {
        HeaderRow(name) {
            try await answer { rig in
                await rig.hold(SampleTable.usd, condition: condition)
                rig.time.advance(by: .seconds(age))
                let tag = try rig.ask("/v1/latest?symbols=EUR").field("etag") ?? ""
                return try rig.ask("/v1/latest?symbols=EUR", fields: ["If-None-Match: \(tag)"])
            }
        }
    }

    private static func year(_ name: String, _ target: String) -> HeaderRow {
        HeaderRow(name) {
            try await answer { rig in
                await rig.hold(SampleTable.usd)
                await rig.hold(SampleYear.table(2025))
                await rig.hold(SampleYear.table(2026, through: "2026-06-15"))
                rig.time.advance(by: .seconds(20))
                return try rig.ask(target)
            }
        }
    }

    private static func pinned(_ name: String, _ pin: String) -> HeaderRow {
        HeaderRow(name) {
            try await answer { rig in
                let snapshot = SampleTable.snapshot(SampleTable.usd)
                try await rig.archive.keep(snapshot)
                await rig.hold(SampleTable.usd)
                rig.time.advance(by: .seconds(20))
                return try rig.ask(
                    "/v1/latest?symbols=EUR&" + pin.replacing("=01M8", with: "=\(snapshot.id)"))
            }
        }
    }

    /// The last of so many answers to a client with an allowance.
    static func allowed(limit: Int, count: Int, hasFields: Bool) async throws -> RawHTTPClient.Answer {
        let clients = [SampleClients.entry("reports", SampleClients.token, perMinute: limit)]
        return try await answer(clients: clients, hasRatelimitFields: hasFields) { rig in
            await rig.hold(SampleTable.usd)
            let fields = ["Authorization: Bearer \(SampleClients.token)"]
            for _ in 1..<count { _ = try rig.ask("/v1/latest?symbols=EUR", fields: fields) }
            return try rig.ask("/v1/latest?symbols=EUR", fields: fields)
        }
    }
}
