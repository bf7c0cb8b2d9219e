import CacheLayer
import EventLoop
import TestSupport
import Testing

@testable import FXGateway

/// Long pages are made beside the loop; `RangeTests` says what is in them.
@Suite("Spans of days that take long", .timeLimit(.minutes(3)))
struct RangeMakingTests {
    private let long = "/v1/range?format=csv&start_date=2024-01-01&end_date=2025-12-31"
    private let short = "/v1/range?symbols=EUR&start_date=2025-04-01&end_date=2025-04-30"

    private func run(
        waitingLimit: Int = 10_000, _ body: (GatewayRig) async throws -> Void
    ) async throws {
        try await GatewayRig.run(waitingLimit: waitingLimit) { rig in
            await rig.hold(SampleTable.usd)
            for year in 2023...2025 { await rig.hold(SampleYear.table(year)) }
            rig.holdsAside.withLock { $0 = true }
            try await body(rig)
        }
    }

    /// Waits until so many requests wait for pages, at most two seconds.
    private func drafting(_ count: Int, at rig: GatewayRig) async -> Bool {
        for _ in 0..<1_000 {
            if await rig.drafting() == count { return true }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return false
    }

    @Test("others are answered while a page is made; it is made once for all who ask for it, and kept")
    func beside() async throws {
        try await run { rig in
            let waiting = try (0..<3).map { _ in
                let client = try rig.client()
                try client.send(GatewayRig.request(long))
                return client
            }
            #expect(await drafting(3, at: rig))
            #expect(rig.asides.withLock { $0.count } == 1)
            #expect(try rig.ask("/v1/latest?symbols=EUR").status == 200)
            #expect(try rig.ask(short).status == 200)
            rig.doAsides()
            let answers = try waiting.map { try #require(try $0.answers(1).answers.first) }
            #expect(answers.allSatisfy { $0.status == 200 && $0.body == answers[0].body })
            #expect(await rig.kept().waiting == 0)
            // Nothing is held back any more that it could wait for.
            #expect(try rig.ask(long).body == answers[0].body)
            #expect(rig.asides.withLock { $0.isEmpty })
        }
    }

    @Test("a year that comes meanwhile makes the page an answer, but none to keep")
    func outdated() async throws {
        try await run { rig in
            let client = try rig.client()
            try client.send(GatewayRig.request(long))
            #expect(await drafting(1, at: rig))
            await rig.hold(SampleYear.table(2025), token: 2)
            rig.doAsides()
            #expect(try client.answers(1).answers.first?.status == 200)
            let again = try rig.client()
            try again.send(GatewayRig.request(long))
            #expect(await drafting(1, at: rig))
            rig.doAsides()
            #expect(try again.answers(1).answers.first?.status == 200)
        }
    }

    @Test("as many different pages are under way as there is room for; the next is told to come again")
    func crowded() async throws {
        try await run { rig in
            var clients: [RawHTTPClient] = []
            for day in 1...RangeDesk.mostDrafts {
                let client = try rig.client()
                let start = "2024-01-\(day < 10 ? "0" : "")\(day)"
                try client.send(GatewayRig.request(long.replacing("2024-01-01", with: start)))
                clients.append(client)
            }
            #expect(await drafting(RangeDesk.mostDrafts, at: rig))
            let refused = try rig.ask(long.replacing("2024-01-01", with: "2024-02-01"))
            #expect(refused.status == 503 && refused.field("retry-after") == "1")
            #expect(try JSONTree.parse(refused.body)["type"]?.string?.hasSuffix("overloaded") == true)
            rig.doAsides()
            for client in clients { #expect(try client.answers(1).answers.first?.status == 200) }
            rig.holdsAside.withLock { $0 = false }
            #expect(try rig.ask(long.replacing("2024-01-01", with: "2024-02-01")).status == 200)
        }
    }

    @Test("a client that leaves meanwhile leaves nothing behind")
    func gone() async throws {
        try await run { rig in
            do {
                let client = try rig.client()
                try client.send(GatewayRig.request(long))
                #expect(await drafting(1, at: rig))
                client.close()
            }
            #expect(await drafting(0, at: rig))
            rig.doAsides()
            #expect(try rig.ask("/v1/latest?symbols=EUR").status == 200)
            rig.holdsAside.withLock { $0 = false }
            #expect(try rig.ask(long).status == 200)
        }
    }

    @Test("a long range whose year is too old is refused at the limit, not later for having been made again")
    func tooOld() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(
                SampleYear.table(2026, through: "2026-06-12"),
                fetchedAt: SampleYear.fetchedAt + .seconds(-259_200), condition: .refreshing)
            let client = try rig.client()
            try client.send(
                GatewayRig.request("/v1/range?format=csv&start_date=2026-01-01&end_date=2026-06-16"))
            await rig.waiting(atLeast: 1)
            rig.time.advance(by: .milliseconds(5_001))
            let answer = try client.answers(1).answers.first
            #expect(answer?.status == 503 && answer?.field("retry-after") != nil)
            #expect(await rig.kept().waiting == 0)
        }
    }

    @Test("a long range that this instance has fetched a year for says so, as a short one does")
    func fetched() async throws {
        for symbols in ["", "&symbols=EUR"] {
            try await GatewayRig.run { rig in
                await rig.hold(SampleTable.usd)
                await rig.hold(SampleYear.table(2024))
                let client = try rig.client()
                try client.send(
                    GatewayRig.request(
                        "/v1/range?format=csv&start_date=2024-06-01&end_date=2025-06-30" + symbols))
                await rig.waiting(atLeast: 1)
                await rig.hold(SampleYear.table(2025), isOwnFetch: true)
                let answer = try client.answers(1).answers.first
                #expect(answer?.status == 200)
                #expect(
                    answer?.field("cache-status")?.contains("fwd=uri-miss; fwd-status=200; stored") == true)
            }
        }
    }
}
