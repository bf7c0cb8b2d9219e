import CacheLayer
import EventLoop
import TestSupport

@testable import FXGateway

/// The rows of refusals: none of them is stored, or says anything of rates.
extension HeaderRow {
    private static let later = SampleTable.fetchedAt + .seconds(120)

    static let refusals =
        [
            HeaderRow("nothing held, the wait is over") {
                try await answer { try await overdue($0, isTooOld: false) }
            },
            cold("nothing held, upstream fails", .failing(until: later)),
            cold("nothing held, in a cooldown", .cooldown(until: later)),
            cold("nothing held, the month is spent", .quotaSpent(until: later)),
            cold("nothing held, the key is refused", .keyRejected(until: later)),
            cold("nothing held, these rates are refused", .forbidden(until: later)),
            cold("nothing held, the store is away", .storeAway(until: later)),
            HeaderRow("held, but beyond the stale window") {
                try await answer { try await overdue($0, isTooOld: true) }
            },
            held("not as fresh as asked for", age: 20, .idle, "/v1/latest?symbols=EUR&max_data_age=1s"),
            cold("nothing held, and asked for from memory only", fields: ["Cache-Control: only-if-cached"]),
            HeaderRow("too many wait") {
                try await answer(waitingLimit: 1) { rig in
                    let first = try rig.client()
                    try first.send(GatewayRig.request("/v1/latest"))
                    await rig.waiting(atLeast: 1)
                    return try rig.ask("/v1/latest")
                }
            },
            HeaderRow("over its allowance") { try await allowed(limit: 1, count: 2, hasFields: false) },
            HeaderRow("over its allowance, with `FXGW_RATELIMIT_FIELDS`") {
                try await allowed(limit: 1, count: 2, hasFields: true)
            },
            client("no token", []), client("a token that nobody has", ["X-API-Key: nobody's"]),
        ] + mistakes.map { name, target in held(name, .idle, target) } + others

    /// What clients get wrong in a target.
    private static let mistakes = [
        ("a malformed code", "/v1/latest/E"), ("a malformed parameter", "/v1/latest?numbers=roman"),
        ("a parameter twice", "/v1/latest?base=USD&base=EUR"),
        ("an escape that is none", "/v1/latest?symbols=%zz"),
        ("a parameter is missing", "/v1/range?start_date=2026-01-02"),
        ("no amount", "/v1/convert/USD/EUR/12abc"), ("no date", "/v1/2026-02-30"),
        ("a base that upstream doesn't have", "/v1/latest/QQQ"),
        ("a pair that upstream doesn't have", "/v1/rate/USD-QQQ"), ("a day of the future", "/v1/2026-06-18"),
        ("no such path", "/v1/nothing"),
        ("an explanation of the past", "/v1/latest?explain=1&as_of=2026-06-15"),
        ("a target over 2 KiB", "/v1/latest?x=" + String(repeating: "x", count: 2_100)),
    ]

    private static let others = [
        HeaderRow("a snapshot that isn't kept") {
            try await answer { try $0.ask("/v1/snapshots/01J0F3ZK7Q-7f3a9c2e") }
        },
        HeaderRow("the admin routes are off") {
            try await answer { try $0.ask("/admin/cache", method: "DELETE") }
        },
        HeaderRow("another method") { try await answer { try $0.ask("/v1/latest", method: "DELETE") } },
        HeaderRow("a method that nobody knows") {
            try await answer { try $0.ask("/v1/latest", method: "BREW") }
        },
        HeaderRow("GET with a body") { try await answer { try $0.ask("/v1/latest", body: "{}") } },
        HeaderRow("an expectation") {
            try await answer { try $0.ask("/v1/latest", fields: ["Expect: a miracle"]) }
        },
        HeaderRow("a head over 8 KiB") {
            try await answer {
                try $0.ask("/v1/latest", fields: ["X: " + String(repeating: "x", count: 9_000)])
            }
        },
        HeaderRow("another version of HTTP") {
            try await answer { try $0.client().exchange("GET /v1/latest HTTP/2.0\r\nHost: a\r\n\r\n") }
        },
        HeaderRow("no Host") { try await answer { try $0.client().exchange("GET / HTTP/1.1\r\n\r\n") } },
        HeaderRow("an operator without the token") {
            try await answer(token: "admin") { try $0.ask("/admin/cache", method: "DELETE") }
        },
        HeaderRow("a refresh that isn't due") {
            try await answer(token: "admin") { rig in
                let client = try rig.client()
                try client.send(
                    GatewayRig.request(
                        "/admin/refresh/USD", method: "POST", fields: ["Authorization: Bearer admin"],
                        body: ""))
                while rig.refreshes.withLock({ $0.isEmpty }) { await Task.yield() }
                rig.refreshes.withLock { $0.first }?.completion(
                    .refused(.paced(until: SampleTable.fetchedAt + .seconds(30))))
                guard let answer = try client.answers(1).answers.first else {
                    throw HeaderRowProblem.noAnswer
                }
                return answer
            }
        },
    ]

    private static func client(_ name: String, _ fields: [String]) -> HeaderRow {
        HeaderRow(name) {
            try await answer(clients: [SampleClients.entry("reports", SampleClients.token)]) { rig in
                await rig.hold(SampleTable.usd)
                return try rig.ask("/v1/latest?symbols=EUR", fields: fields)
            }
        }
    }

    /// A request that has waited as long as it may.
    private static func overdue(_ rig: GatewayRig, isTooOld: Bool) async throws -> RawHTTPClient.Answer {
        if isTooOld {
            await rig.hold(SampleTable.usd)
            rig.time.advance(by: .seconds(970))
        }
        let client = try rig.client()
        try client.send(GatewayRig.request("/v1/latest?symbols=EUR"))
        await rig.waiting(atLeast: 1)
        rig.time.advance(by: .seconds(5))
        guard let answer = try client.answers(1).answers.first else { throw HeaderRowProblem.noAnswer }
        return answer
    }
}
