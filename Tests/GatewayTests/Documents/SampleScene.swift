import CacheLayer
import EventLoop
import TestSupport
import Testing

@testable import FXGateway

/// A sample answer of upstream with the request that it answers, and a gateway that holds what it says.
struct SampleScene: Sendable, CustomTestStringConvertible {
    /// How much of the answer must be the sample's.
    enum Likeness: Sendable {
        /// Every member, with its digits and words.
        case digits
        /// Every member by its type: the gateway computes some numbers itself, or knows them better.
        case types
        /// Status and code; the sentence is the gateway's own.
        case refusal
    }

    let sample: String
    let target: String
    var body: String?
    var likeness = Likeness.digits
    /// Members of the sample that the gateway leaves out on purpose.
    var left: Set<String> = []
    /// The pivot of the gateway that is asked.
    var pivot = "USD"
    /// Samples whose rates are held; the sample itself where none is named.
    var held: [String] = []

    var testDescription: String { "\(sample): \(target)" }

    /// Runs `body` with a gateway that holds the samples' rates since their own time, and with the sample.
    func run(_ body: (GatewayRig, JSONTree) async throws -> Void) async throws {
        let samples = try SampleAnswerTests.trees()
        guard let tree = samples[sample] else { throw Missing(name: sample) }
        let all = held.isEmpty ? [tree] : held.compactMap { samples[$0] }
        try await GatewayRig.run(bases: [.sample(pivot)]) { rig in
            let times = all.compactMap { $0["timestamp"]?.string }.compactMap { try? Timestamp(rfc3339: $0) }
            let now = times.first?.instant ?? Self.standardTime
            rig.time.advance(by: now - rig.time.wall)
            for one in all { try await hold(one, in: rig) }
            try await body(rig, tree)
        }
    }

    /// The same with these rows of a range in the place of a sample.
    func run(rows: [JSONTree], _ body: (GatewayRig) async throws -> Void) async throws {
        try await GatewayRig.run(bases: [.sample(pivot)]) { rig in
            rig.time.advance(by: Self.standardTime - rig.time.wall)
            try await hold(rows, base: pivot, in: rig)
            try await body(rig)
        }
    }

    struct Missing: Error { let name: String }

    /// That of most samples: 15 September 2026, 14:02:11 UTC.
    private static let standardTime = UnixMilliseconds(1_789_480_931_000)

    // MARK: What is held

    private func hold(_ sample: JSONTree, in rig: GatewayRig) async throws {
        if sample["currencies"] != nil || sample["EUR"] != nil || sample["AUD"] != nil {
            try await rig.hold(
                list: String(decoding: sample.encoded, as: UTF8.self), fetchedAt: rig.time.wall)
        } else if let usage = sample["usage"],
            let used = usage["calls_this_month"]?.number.flatMap(Int64.init),
            let plan = usage["limit"]?.number.flatMap(Int64.init)
        {
            rig.status.withLock { $0 = AccountTests.status(used: used, plan: plan) }
        } else if let rows = sample["data"]?.elements {
            try await hold(rows, base: sample["base"]?.string ?? pivot, in: rig)
        } else if let quote = sample["quote"]?.string, let rate = sample["rate"] {
            // The table that has this one pair.
            let rates = JSONTree.Member("rates", .object([.init(quote, rate)]))
            try await hold(table: .object((sample.members ?? []) + [rates]), in: rig)
        } else if let date = sample["date"] {
            // The row that the day stands on: its own, or that of the day before.
            let isFilled = sample["is_forward_filled"] == .bool(true)
            let row = JSONTree.object([
                .init("date", isFilled ? .string("2026-06-12") : date),
                .init("rates", sample["rates"] ?? .null),
                .init("source", sample["source"] ?? .null),
            ])
            try await hold([row], base: sample["base"]?.string ?? pivot, in: rig)
        } else if sample["rates"] != nil {
            try await hold(table: sample, in: rig)
        }
    }

    private func hold(table: JSONTree, in rig: GatewayRig) async throws {
        let ingested = try Ingest.table(
            from: table.encoded, status: 200, contentType: nil, expecting: .sample(pivot), held: nil,
            storeNow: rig.time.wall, interval: .seconds(60))
        await rig.hold(ingested.table, fetchedAt: rig.time.wall)
    }

    /// Holds the years of rows, each whole, and a latest table that names their currencies.
    private func hold(_ rows: [JSONTree], base: String, in rig: GatewayRig) async throws {
        let named = rows.flatMap { $0["rates"]?.members ?? [] }.map(\.name)
        let codes = Set(named.isEmpty ? ["EUR", "GBP"] : named).sorted()
        await rig.hold(
            SampleTable.plain(base, codes.map { ($0, "1.5") }), fetchedAt: rig.time.wall)
        var entries = try Self.entries(rows)
        // The days after the last one of a page that has more behind it.
        if let last = entries.last, rows.count == 366 {
            for number in 1...200 where (1...5).contains(last.date.advanced(by: number).weekday) {
                entries.append(
                    YearTable.Entry(
                        date: last.date.advanced(by: number), source: .ecbDaily, isForwardFilled: false,
                        rates: last.rates))
            }
        }
        if entries.isEmpty {
            entries = try Self.entries([
                .object([
                    .init("date", .string("2026-06-12")), .init("source", .string("ecb_daily")),
                    .init(
                        "rates", .object([.init("EUR", .number("0.86514")), .init("GBP", .number("0.7"))])),
                ])
            ])
        }
        for (year, rows) in Dictionary(grouping: entries, by: \.date.year) {
            await rig.hold(
                YearTable(base: .sample(base), year: year, entries: rows, isComplete: true),
                fetchedAt: rig.time.wall)
        }
    }

    private static func entries(_ rows: [JSONTree]) throws -> [YearTable.Entry] {
        try rows.compactMap { row in
            guard let date = row["date"]?.string, let day = CivilDate(parsing: date.utf8) else { return nil }
            let rates = try (row["rates"]?.members ?? []).map { member in
                (Currency.sample(member.name), try Rate(json: member.value.number ?? ""))
            }
            return YearTable.Entry(
                date: day, source: .ecbDaily, isForwardFilled: row["is_forward_filled"] == .bool(true),
                rates: Dictionary(uniqueKeysWithValues: rates))
        }
    }
}
