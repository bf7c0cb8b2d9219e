@testable import CacheLayer

/// Snapshots with every label in every state.
enum RandomSnapshot {
    static func make(using random: inout NumberCases) -> RateSnapshot {
        let base = currency(using: &random)
        let fetchedAt = UnixMilliseconds(Int64.random(in: 0...4_000_000_000_000, using: &random))
        var symbols: [Currency: SymbolRate] = [:]
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let currency = currency(using: &random)
            guard let rate = rate(using: &random) else { continue }
            let kept: SymbolRate.Kept? = [nil, .missing, .quarantine].randomElement(using: &random) ?? nil
            symbols[currency] = SymbolRate(
                currency: currency, rate: rate, source: source(using: &random),
                effectiveAt: Bool.random(using: &random) ? time(using: &random) : nil, kept: kept,
                quarantined: kept == .quarantine ? heldBack(using: &random) : nil)
        }
        let table = RateTable(
            base: base, source: source(using: &random),
            marketSession: [nil, "open", "interbank-closed"].randomElement(using: &random) ?? nil,
            timestamp: Bool.random(using: &random) ? text(using: &random) : nil,
            dataTime: time(using: &random),
            symbols: Array(symbols.values), hasSources: Bool.random(using: &random),
            hasEffectiveAt: Bool.random(using: &random),
            notice: Bool.random(using: &random) ? text(using: &random) : nil,
            extras: (0..<Int.random(in: 0...3, using: &random)).map { number in
                let value = JSONTree.array([.string(text(using: &random)), .number("1e999"), .null])
                // Names are unique, as in a body.
                let name = "\(number)\(text(using: &random))"
                return .init(name: name, json: String(decoding: value.encoded, as: UTF8.self))
            })
        return RateSnapshot(
            id: SnapshotID(
                fetchedAt: fetchedAt, digest: (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }),
            resource: .latest(base: base),
            token: FencingToken(Int64.random(in: 0...Int64.max, using: &random)),
            fetchedAt: fetchedAt, interval: .milliseconds(Int64.random(in: 0...86_400_000, using: &random)),
            table: table)
    }

    private static func heldBack(using random: inout NumberCases) -> QuarantinedRate? {
        guard let first = rate(using: &random), let newest = rate(using: &random) else { return nil }
        return QuarantinedRate(
            first: first, rate: newest, effectiveAt: Bool.random(using: &random) ? time(using: &random) : nil,
            confirmations: Int.random(in: 0..<QuarantinedRate.enough, using: &random),
            since: time(using: &random).instant, keptUntil: time(using: &random).instant)
    }

    private static func currency(using random: inout NumberCases) -> Currency {
        let letters = Array("ABCXYZ019")
        let count = Int.random(in: 3...8, using: &random)
        return .sample(String((0..<count).map { _ in letters.randomElement(using: &random) ?? "A" }))
    }

    private static func rate(using random: inout NumberCases) -> Rate? {
        let whole = Int.random(in: 0...99_999, using: &random)
        let decimals = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            String(Int.random(in: 0...9, using: &random))
        }
        return try? Rate(json: "\(whole).\(decimals.joined())")
    }

    private static func source(using random: inout NumberCases) -> Source {
        [.live, .ecbDaily, .fredDaily, .unknown("test-feed")].randomElement(using: &random) ?? .live
    }

    private static func time(using random: inout NumberCases) -> Timestamp {
        let instant = Int64.random(in: 915_148_800_000...4_102_444_800_000, using: &random)
        return Timestamp(text: text(using: &random), instant: UnixMilliseconds(instant))
    }

    private static func text(using random: inout NumberCases) -> String {
        let letters = Array("aZ09\"\\/\n\t\u{1}é€💶\u{2028} :,{}")
        let count = Int.random(in: 0...12, using: &random)
        return String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
}
