import Testing

@testable import CacheLayer

/// What every answer tells beside its reply, for people who ask why nothing is fetched.
extension StoreContractTests {
    @Test(
        "tells who holds which lease and for how long, and nothing of it once it is over",
        arguments: StoreKind.allCases)
    func holders(kind: StoreKind) async throws {
        let plan = QuotaPlan(monthly: 1_000_000, perMinute: 60_000, maxInFlight: 2)
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: plan)
            #expect(bench.shadow?.flights == [] && bench.shadow?.slowLevel == 0)
            _ = try await bench.begin(plan: plan, holder: "host-b:17")
            let first = try #require(bench.shadow?.epoch)
            #expect(
                bench.shadow?.flights == [
                    Shadow.Flight(
                        resource: Self.usd, holder: "host-b:17", token: first, rest: .seconds(15))
                ])
            try bench.advance(.seconds(5))
            let second = try await bench.granted(Self.eur, plan: plan)
            let told = try await bench.look(plan: plan, holder: "c").shadow?.flights
            #expect(told?.map(\.rest) == [.seconds(10), .seconds(15)])
            #expect(told?.map(\.holder) == ["host-b:17", "a"])
            _ = try await bench.finish(second, .failed(reason: "x", keepsSlot: true), plan: plan)
            let kept = try await bench.look(plan: plan).shadow?.flights
            #expect(kept?.map(\.isSettled) == [false, true])
            try bench.advance(.milliseconds(9_999))
            #expect(try await bench.look(plan: plan).shadow?.flights.first?.rest == .milliseconds(1))
            try bench.advance(.milliseconds(1))
            #expect(try await bench.look(plan: plan).shadow?.flights.map(\.holder) == ["a"])
            try bench.advance(.seconds(5))
            #expect(try await bench.look(plan: plan).shadow?.flights == [])
        }
    }

    @Test(
        "tells each resource's failures in a row, and by how much intervals are longer after limits",
        arguments: StoreKind.allCases)
    func strikes(kind: StoreKind) async throws {
        let plan = QuotaPlan(monthly: 1_000_000, perMinute: 60_000)
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: plan)
            func strikes() async throws -> [Int64] {
                guard
                    case .seen(let seen) = try await bench.look(
                        [(Self.usd, nil), (Self.eur, nil)], plan: plan
                    ).reply
                else { return [] }
                return seen.map(\.strikes)
            }
            #expect(try await strikes() == [0, 0])
            for count in 1...3 as ClosedRange<Int64> {
                let grant = try await bench.granted(plan: plan)
                _ = try await bench.finish(grant, .failed(reason: "x", keepsSlot: false), plan: plan)
                #expect(try await strikes() == [count, 0])
                try bench.advance(.seconds(300))
            }
            let grant = try await bench.granted(plan: plan)
            let snapshot = bench.snapshot(grant)
            _ = try await bench.finish(grant, .fetched(snapshot), plan: plan)
            #expect(try await strikes() == [0, 0])
            try bench.advance(.seconds(300))
            let limited = try await bench.granted(held: snapshot.order, plan: plan)
            _ = try await bench.finish(
                limited, .limited(.short, wait: .seconds(9), reason: "rate_limited"), plan: plan)
            #expect(bench.shadow?.slowLevel == 1)
            try bench.advance(.seconds(9 + 3_600))
            #expect(try await bench.look(plan: plan).shadow?.slowLevel == 0)
        }
    }
}
