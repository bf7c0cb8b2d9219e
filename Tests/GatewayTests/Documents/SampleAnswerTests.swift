import CacheLayer
import Foundation
import Testing

/// Every sample answer of upstream: what becomes of it at the gateway's door, and that its readers can read the gateway's.
@Suite("Upstream's sample answers") struct SampleAnswerTests {
    /// 16 September 2026, later than all of them.
    private static let now = UnixMilliseconds(1_789_516_800_000)

    struct Sample {
        let name: String
        let bytes: [UInt8]

        /// As the name says: `error-429-quota.json` comes with 429, all else with 200.
        var status: Int { name.firstMatch(of: /^error-(\d{3})/).flatMap { Int($0.output.1) } ?? 200 }
        var contentType: String { name.hasSuffix(".html") ? "text/html" : "application/json" }

        /// Its own base, so that a wrong one isn't what refuses it; the dollar where it names none.
        var base: Currency {
            let text = String(decoding: bytes, as: UTF8.self)
            return text.firstMatch(of: /"base":\s*"([A-Z]{3})"/).flatMap { Currency($0.output.1) } ?? .usd
        }

        func ingested(held: RateTable? = nil) throws(IngestError) -> Ingested {
            try Ingest.table(
                from: bytes, status: status, contentType: contentType, expecting: base, held: held,
                storeNow: SampleAnswerTests.now, interval: .seconds(60), band: .standard)
        }
    }

    static func samples() throws -> [Sample] {
        let folder = try #require(Bundle.module.url(forResource: "Samples", withExtension: nil))
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            Sample(name: name, bytes: Array(try Data(contentsOf: folder.appendingPathComponent(name))))
        }
    }

    @Test("each is accepted, refused for its reason, or held back beside other rates, as the page says")
    func table() throws {
        let rows = try Self.samples().map { sample in
            ["`\(sample.name)`", Self.verdict(sample), Self.pause(sample), try Self.besideOthers(sample)]
        }
        #expect(rows.count == 47)
        let lines = rows.map { "| \($0.joined(separator: " | ")) |" }
        let shown = try ProjectFiles.section("## Upstream's sample answers", of: "docs/ingest.md")
            .filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(shown == lines, "the table is:\n\(lines.joined(separator: "\n"))")
    }

    @Test("latest tables are accepted whole, errors and other answers never")
    func kinds() throws {
        for sample in try Self.samples() {
            let verdict = Self.verdict(sample)
            if sample.name.hasPrefix("latest-") {
                #expect(verdict.hasPrefix("accepted"), "\(sample.name): \(verdict)")
                let ingested = try sample.ingested()
                #expect(ingested.notes.missing.isEmpty && ingested.notes.counts.isEmpty, "\(sample.name)")
                #expect(try Self.besideOthers(sample) == "all held back", "\(sample.name)")
            } else if !sample.name.hasPrefix("historical-") {
                #expect(verdict.hasPrefix("refused"), "\(sample.name): \(verdict)")
            }
            if sample.name.hasPrefix("error-"), sample.status != 200 {
                #expect(verdict.hasPrefix("refused: not_2xx"), "\(sample.name): \(verdict)")
            }
        }
    }

    @Test("each of their rates keeps its digits")
    func digits() throws {
        for sample in try Self.samples() where sample.name.hasPrefix("latest-") {
            let text = String(decoding: sample.bytes, as: UTF8.self)
            let rates = try #require(text.firstMatch(of: /"rates":\s*\{([^}]*)\}/)).output.1
            let table = try sample.ingested().table
            for match in rates.matches(of: /"([A-Z0-9]+)":\s*([0-9.eE+-]+)/) {
                let currency = try #require(Currency(match.output.1))
                let rate = try #require(table.entry(of: currency)?.rate, "\(sample.name) \(currency)")
                #expect(try rate == Rate(json: String(match.output.2)))
                if !match.output.2.contains("e") { #expect(rate.text == match.output.2) }
            }
        }
    }

    @Test(
        "lists of currencies and accounts are read by readers of their own, in each form that upstream documents"
    )
    func others() throws {
        for sample in try Self.samples() {
            let list = try? Ingest.currencies(
                from: sample.bytes, status: sample.status, contentType: sample.contentType,
                storeNow: Self.now
            ).list
            #expect((list != nil) == sample.name.hasPrefix("currencies"), "\(sample.name)")
            if let list {
                let isWhole = sample.name == "currencies.json"
                #expect(list.form == (isWhole ? .list : .bareMap))
                #expect(list.entries.count == (isWhole ? 31 : 6) && list.types == ["fiat"])
                // So that nothing is rounded otherwise by it.
                #expect(list.minorUnits.isEmpty && list.entries.allSatisfy { $0.decimals != nil })
            }
            let account = AccountUsage(body: sample.bytes)
            #expect((account != nil) == sample.name.hasPrefix("account"), "\(sample.name)")
        }
    }

    // MARK: Cells

    private static func verdict(_ sample: Sample) -> String {
        do {
            let table = try sample.ingested().table
            let classes = Dictionary(grouping: table.symbols, by: \.source)
                .sorted { Source.isFaster($0.key, $1.key) }
                .map { "\($0.value.count) \($0.key.name)" }
            let session = table.marketSession.map { ", session \($0)" } ?? ""
            return "accepted: \(classes.joined(separator: ", "))\(session)"
        } catch {
            return "refused: \(error.reason)\(error.problem.map { ", `\($0.rawValue)`" } ?? "")"
        }
    }

    /// What the answer asks for beside it, without a header field that says more.
    private static func pause(_ sample: Sample) -> String {
        let answer = LimitAnswer(status: sample.status, code: UpstreamProblem.read(sample.bytes))
        return switch UpstreamVerdict(answer, of: .latest(base: sample.base), now: now) {
        case .pause(let pause): "pause `\(pause.scope.rawValue)`"
        case .refused: "kind closed"
        case .denied: "denied"
        case .ok, .failed: "none"
        }
    }

    /// What becomes of its rates where ten times each of them is held.
    private static func besideOthers(_ sample: Sample) throws -> String {
        guard let first = try? sample.ingested() else { return "–" }
        let held = RateTable(
            base: first.table.base, source: first.table.source, marketSession: nil, timestamp: nil,
            dataTime: first.table.dataTime,
            symbols: try first.table.symbols.map { entry in
                let tenfold = try entry.rate.exact.multiplied(
                    by: ExactNumber(magnitude: UInt256(10), scale: 0))
                return SymbolRate(
                    currency: entry.currency, rate: try #require(Rate(tenfold)), source: entry.source,
                    effectiveAt: entry.effectiveAt)
            }, hasSources: first.table.hasSources, hasEffectiveAt: first.table.hasEffectiveAt, notice: nil)
        let second = try sample.ingested(held: held)
        #expect(second.table.symbols.map(\.rate) == held.symbols.map(\.rate))
        let count = second.table.quarantined.count
        return count == held.symbols.count ? "all held back" : "\(count) of \(held.symbols.count) held back"
    }
}
