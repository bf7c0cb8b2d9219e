import EventLoop
import Foundation
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer
@testable import FXGateway

/// A gateway on a real socket with a real refresher behind it, whose calls to upstream a test hands on; one clock for all.
private struct RefreshedGateway: Sendable {
    let rig: GatewayRig
    let refresher: Refresher
    private let news: Locked<[RefreshNews]>

    init(_ rig: GatewayRig, bases: [Currency], fetch: @escaping @Sendable (FetchOrder) async -> FetchOutcome)
    {
        let news = Locked<[RefreshNews]>([])
        self.rig = rig
        self.news = news
        let clock = rig.time.source
        refresher = Refresher(
            store: InMemoryRateStore(archiveBytes: 1 << 20, clock: clock.wall),
            settings: RefreshSettings(
                holder: "rig", bases: bases, policy: TierPolicy(),
                plan: QuotaPlan(monthly: 1_000_000, perMinute: 60, maxInFlight: 2),
                times: LeaseTimes(lease: .seconds(15), deadline: .seconds(1))),
            time: clock, logger: .silent, random: { _ in 0 },
            tell: { one in news.withLock { $0.append(one) } },
            fetch: fetch)
    }

    /// One look around; shows the loops what it brought.
    func step(_ resource: Resource? = nil, _ demand: Demand = .stale) async {
        if let resource { refresher.wants.add(resource, demand) }
        await refresher.step()
        await show()
    }

    /// The same, until no flight is under way.
    func turn(_ resource: Resource? = nil, _ demand: Demand = .stale) async {
        await step(resource, demand)
        while let flight = await refresher.flights.values.first { _ = await flight.value }
        await show()
    }

    private func show() async {
        for one in news.withLock({ news in
            defer { news = [] }
            return news
        }) { await rig.show(one.resource, one.view, isOwnFetch: one.isOwnFetch) }
    }
}

@Suite("Answers while upstream fails", .timeLimit(.minutes(3)))
struct FaultyUpstreamTests {
    /// What a request is told while nothing can be fetched: inside the stale window, and beyond it.
    private struct Told: Hashable {
        let stale: [String]
        let beyond: [String]
    }

    private static func table(of base: Currency) -> String {
        let others = ["USD", "EUR", "GBP"].filter { $0 != base.code }.map { "\"\($0)\":1.25" }
        return """
            {"result":"success","base":"\(base)","source":"live","market_session":"weekend",\
            "data_updated_at":"2026-06-16T14:02:00Z","rates":{\(others.joined(separator: ","))}}
            """
    }

    private static func fetch(_ transport: UpstreamTransport, _ time: ManualTime) -> UpstreamFetch {
        UpstreamFetch(
            transport: transport, policy: TierPolicy(), band: nil, time: time.source, logger: .silent,
            counters: UpstreamCounters())
    }

    /// Fills a gateway from a good upstream, then has it ask a bad one.
    private func told(by bad: UpstreamTransport) async throws -> Told {
        var told: Told?
        try await RawHTTPServer.run([.json(Self.table(of: .usd))]) { server in
            let good = try server.transport()
            try await GatewayRig.run { (rig) async throws -> Void in
                let isBad = Locked(false)
                let gateway = RefreshedGateway(rig, bases: [.usd]) { order in
                    await Self.fetch(isBad.withLock { $0 } ? bad : good, rig.time)(order)
                }
                let usd = Resource.latest(base: .usd)
                await gateway.step()
                rig.time.advance(by: .seconds(3))
                await gateway.turn(usd, .cold)
                #expect(try rig.ask("/v1/rate/USD-EUR").field("fx-state") == "fresh")
                isBad.withLock { $0 = true }
                rig.time.advance(by: .seconds(80))
                // Nobody waits for the call, however it will end.
                let stale = try rig.ask("/v1/rate/USD-EUR")
                #expect(stale.status == 200 && stale.field("fx-state") == "stale")
                await gateway.turn(usd)
                let failed = try rig.ask("/v1/rate/USD-EUR")
                rig.time.advance(by: .seconds(890))
                let client = try rig.client()
                try client.send(GatewayRig.request("/v1/rate/USD-EUR"))
                await rig.waiting(atLeast: 1)
                await gateway.turn(usd, .cold)
                rig.time.advance(by: .seconds(5))
                let beyond = try #require(try client.answers(1).answers.first)
                told = Told(stale: Self.told(failed), beyond: Self.told(beyond))
            }
        }
        return try #require(told)
    }

    private static func told(_ answer: RawHTTPClient.Answer) -> [String] {
        ["\(answer.status)", answer.text]
            + ["age", "cache-control", "cache-status", "etag", "fx-state", "retry-after"].map {
                "\($0): \(answer.field($0) ?? "")"
            }
    }

    @Test(
        "U1, U2, U10, C107: refused, 503, hanging, bad TLS or broken JSON: the same marked answer at once, and 503 past the window"
    )
    func fiveFaults() async throws {
        var all: [(name: String, told: Told)] = []
        let nobody = try UpstreamTransport(UpstreamAddress("http://127.0.0.1:1"), key: nil)
        all.append(("refused", try await told(by: nobody)))
        let answers: [(String, RawHTTPServerStep)] = [
            ("503", .json(#"{"result":"error","code":"service_unavailable"}"#, status: "503 Away")),
            ("hangs", .hold), ("broken JSON", .json(#"{"result":"success","base":"#)),
        ]
        for (name, step) in answers {
            try await RawHTTPServer.run({ _, _ in [step] }) { server in
                all.append((name, try await told(by: server.transport())))
            }
        }
        try await TLSServer.run { server in
            let address = try UpstreamAddress(server.url.absoluteString)
            all.append(("bad TLS", try await told(by: UpstreamTransport(address, key: nil))))
        }
        #expect(all.count == 5)
        for (name, told) in all {
            #expect(told.stale.first == "200" && told.stale.contains("fx-state: stale"), "\(name)")
            #expect(
                told.stale.contains("cache-status: fxgateway; hit; ttl=-10; detail=upstream_error"), "\(name)"
            )
            #expect(told.beyond.first == "503" && told.beyond[1].contains("rates-too-old"), "\(name)")
            #expect(told == all[0].told, "\(name): \(told)")
        }
    }

    @Test("T3, C109: while one table's refresh hangs, it answers stale, and the others and /healthz as ever")
    func hangingRefresh() async throws {
        let (hangs, release) = AsyncStream.makeStream(of: Void.self)
        try await GatewayRig.run(bases: [.usd, .eur]) { (rig) async throws -> Void in
            let isHanging = Locked(false)
            let gateway = RefreshedGateway(rig, bases: [.usd, .eur]) { order in
                guard case .latest(let base) = order.resource else { return .unsent }
                if base == .usd, isHanging.withLock({ $0 }) {
                    for await _ in hangs {}
                    return .cutOff
                }
                let answer = RawHTTPServerStep.json(Self.table(of: base))
                let outcome = try? await RawHTTPServer.run([answer]) { server in
                    await Self.fetch(try server.transport(), rig.time)(order)
                }
                return outcome ?? .failed(reason: "no server")
            }
            let (usd, eur) = (Resource.latest(base: .usd), Resource.latest(base: .eur))
            await gateway.step()
            rig.time.advance(by: .seconds(3))
            await gateway.turn(usd, .cold)
            rig.time.advance(by: .seconds(1))
            await gateway.turn(eur, .cold)
            isHanging.withLock { $0 = true }
            rig.time.advance(by: .seconds(80))
            await gateway.step(usd)
            #expect(await gateway.refresher.flights[usd] != nil)
            let stale = try rig.ask("/v1/rate/USD-GBP")
            #expect(stale.status == 200)
            #expect(stale.field("cache-status") == "fxgateway; hit; ttl=-11; detail=refreshing")
            #expect(try rig.ask("/healthz").status == 200)
            // The other one is even refreshed meanwhile.
            await gateway.step(eur)
            while let flight = await gateway.refresher.flights[eur] { _ = await flight.value }
            await gateway.step()
            let other = try rig.ask("/v1/rate/EUR-GBP")
            #expect(other.field("fx-state") == "fresh" && other.field("age") == "0")
            #expect(await gateway.refresher.flights[usd] != nil)
            release.finish()
            await gateway.turn()
        }
    }
}
