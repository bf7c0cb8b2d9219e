import CacheLayer
import TestSupport

@testable import FXGateway

/// One row of the documented table of header fields: a state, and the answer that a gateway gives in it.
struct HeaderRow: Sendable {
    let name: String
    /// Drives a gateway into the state and asks.
    let answer: @Sendable () async throws -> RawHTTPClient.Answer

    init(_ name: String, _ answer: @escaping @Sendable () async throws -> RawHTTPClient.Answer) {
        self.name = name
        self.answer = answer
    }

    /// A row of a gateway that holds the usual table, so many seconds old, with its refreshing as it is told.
    static func held(
        _ name: String, age: Int64 = 0, _ condition: RefreshCondition = .idle,
        _ target: String = "/v1/latest?symbols=EUR", fields: [String] = []
    ) -> HeaderRow {
        HeaderRow(name) {
            try await answer { rig in
                await rig.hold(SampleTable.usd, condition: condition)
                rig.time.advance(by: .seconds(age))
                return try rig.ask(target, fields: fields)
            }
        }
    }

    /// A row of a gateway that holds nothing.
    static func cold(
        _ name: String, _ condition: RefreshCondition = .idle, _ target: String = "/v1/latest?symbols=EUR",
        fields: [String] = []
    ) -> HeaderRow {
        HeaderRow(name) {
            try await answer { rig in
                await rig.show(.latest(base: .usd), ResourceView(adopted: nil, condition: condition))
                return try rig.ask(target, fields: fields)
            }
        }
    }

    /// The answer of a gateway of its own.
    static func answer(
        token: String? = nil, clients: [ClientEntry]? = nil, hasRatelimitFields: Bool = false,
        waitingLimit: Int = 10_000, _ body: (GatewayRig) async throws -> RawHTTPClient.Answer
    ) async throws -> RawHTTPClient.Answer {
        var answer: RawHTTPClient.Answer?
        try await GatewayRig.run(
            token: token, clients: clients, waitingLimit: waitingLimit,
            hasRatelimitFields: hasRatelimitFields
        ) { (rig) async throws -> Void in
            answer = try await body(rig)
        }
        guard let answer else { throw HeaderRowProblem.noAnswer }
        return answer
    }

    /// The answers of requests that wait, in the order in which they came, once the table is there.
    static func waiting(
        _ count: Int, isOwnFetch: Bool, _ rig: GatewayRig
    ) async throws -> [RawHTTPClient.Answer] {
        var clients: [RawHTTPClient] = []
        for _ in 0..<count {
            let client = try rig.client()
            try client.send(GatewayRig.request("/v1/latest?symbols=EUR"))
            clients.append(client)
            await rig.waiting(atLeast: clients.count)
        }
        await rig.hold(SampleTable.usd, isOwnFetch: isOwnFetch)
        return try clients.map { client in
            guard let answer = try client.answers(1).answers.first else { throw HeaderRowProblem.noAnswer }
            return answer
        }
    }
}

enum HeaderRowProblem: Error { case noAnswer }
