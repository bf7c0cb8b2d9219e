import TestSupport
import Testing

@testable import CacheLayer

/// How long the store keeps what it is given.
extension StoreContractTests {
    @Test(
        "C142: a life of nothing, of less than a millisecond or below zero is a millisecond, and no error",
        arguments: StoreKind.allCases,
        [Duration.zero, .seconds(-3), .microseconds(400), .milliseconds(400), .seconds(-9_000_000_000)])
    func shortLives(kind: StoreKind, rest: Duration) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            let reply = try await bench.finish(grant, .fetched(bench.snapshot(grant, keepFor: rest))).reply
            #expect(reply == .stored)
            guard let session = bench.session else { return }
            let left = Int64(try session.send(["PTTL", bench.keys.snapshot(of: StoreBench.usd)])) ?? -1
            // Gone by now, or about to: never without an end.
            #expect(left != -1 && left <= max(1, rest.milliseconds))
        }
    }
}
