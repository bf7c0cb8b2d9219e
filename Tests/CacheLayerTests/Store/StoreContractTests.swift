import Testing

@testable import CacheLayer

/// One contract, two stores, time moved by hand; numbers in brackets are the lines of `docs/protocol.md`.
@Suite("Every rate store", .timeLimit(.minutes(4)))
struct StoreContractTests {
    static let plan = StoreBench.plan
    static let usd = StoreBench.usd
    static let eur = StoreBench.eur
    /// No rate limit to speak of, and more than one call at once.
    static let wide = QuotaPlan(monthly: 10_000, perMinute: 60_000, maxInFlight: 2)

    static func year(_ number: Int) -> Resource {
        Resource(name: "year:USD:\(number)") ?? .currencies
    }

    /// An answer's kind without its values.
    static func word<Reply>(_ answer: Answer<Reply>) -> String {
        String("\(answer.reply)".prefix { $0 != "(" })
    }

    static func expect(
        _ answer: Answer<BeginReply>, _ expected: BeginReply, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.reply == expected, sourceLocation: location)
    }
}
