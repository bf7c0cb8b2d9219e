@testable import CacheLayer

/// Bodies of upstream's: the first byte says of what, the rest is the body.
enum IngestTarget {
    private static let now = UnixMilliseconds(1_789_482_732_000)  // 2026-09-15T14:32:12Z
    /// Small, so that short bodies meet them; but labels as the store's form reads them, which has no limits but the product's.
    private static let limits = IngestLimits(
        body: 8_192, depth: 32, symbols: 20, extras: 200, notice: 40, label: IngestLimits().label)

    static func run(_ bytes: [UInt8]) {
        let body = Array(bytes.dropFirst())
        tree(body)
        switch (bytes.first ?? 0) % 8 {
        case 0, 1, 2, 3: table(body)
        case 4, 5: year(body)
        case 6: list(body)
        default: account(body)
        }
    }

    /// The reader of all JSON: what it takes, it writes so that it is read as the same.
    private static func tree(_ body: [UInt8]) {
        guard let tree = try? JSONTree.parse(body, depth: 32) else { return }
        let encoded = tree.encoded
        guard let again = try? JSONTree.parse(encoded, depth: 32) else {
            fatalError("what was read is written as no JSON: \(Parts.text(encoded).debugDescription)")
        }
        claim(again == tree, "another tree than what was written")
        claim(again.encoded == encoded, "the same tree gives other bytes")
        claim(
            JSONTree.faultLine(in: body) == nil,
            "JSON, but wrong from line \(JSONTree.faultLine(in: body) ?? 0)")
        claimHasDigits(of: tree, in: body)
    }

    /// Every number has the digits that stand in the body.
    private static func claimHasDigits(of tree: JSONTree, in body: [UInt8]) {
        switch tree {
        case .number(let text): claim(Parts.text(body).contains(text), "\(text) isn't in the body")
        case .array(let elements): for element in elements { claimHasDigits(of: element, in: body) }
        case .object(let members): for member in members { claimHasDigits(of: member.value, in: body) }
        case .null, .bool, .string: return
        }
    }

    private static func table(_ body: [UInt8]) {
        guard let usd = Currency("USD") else { return }
        guard let first = ingested(body, usd, held: nil) else { return }
        claimIsKept(first, of: .latest(base: usd))
        for entry in first.table.symbols {
            let text = entry.rate.text
            claim(
                Parts.text(body).contains(text) || Parts.text(body).contains { $0 == "e" || $0 == "E" },
                "\(text) of \(entry.currency) isn't in the body")
        }
        // The same answer again changes nothing; an empty one keeps what was there.
        guard let again = ingested(body, usd, held: first.table) else {
            fatalError("an answer is refused where it is held already")
        }
        claim(again.table == first.table, "the same answer changes its table: \(again.notes)")
        claim(again.notes.quarantined.isEmpty, "the same answer is held back")
        let vanished = Array(
            "{\"result\":\"success\",\"base\":\"USD\",\"source\":\"live\",\"data_updated_at\":\"2026-09-15T14:37:12Z\",\"rates\":{\"QQQ\":2}}"
                .utf8)
        guard let later = ingested(vanished, usd, held: first.table) else {
            fatalError("a plain answer is refused after this one")
        }
        claimIsKept(later, of: .latest(base: usd))
    }

    private static func ingested(_ body: [UInt8], _ base: Currency, held: RateTable?) -> Ingested? {
        do throws(IngestError) {
            return try Ingest.table(
                from: body, status: 200, contentType: "application/json", expecting: base, held: held,
                storeNow: now, interval: .seconds(60), band: .standard, limits: limits)
        } catch {
            claimIsFit("\(error)", atMost: 100)
            return nil
        }
    }

    private static func year(_ body: [UInt8]) {
        guard let usd = Currency("USD"), let span = YearSpan(year: 2026, held: nil, today: now.date) else {
            return
        }
        guard let first = page(body, usd, span, held: nil) else { return }
        claimIsKept(first, of: .year(base: usd, year: 2026))
        // A page that comes twice is never put behind itself.
        guard let year = first.year, !year.isComplete,
            let rest = YearSpan(year: 2026, held: year, today: now.date)
        else { return }
        claim(page(body, usd, rest, held: year) == nil, "one page was taken twice")
    }

    private static func page(
        _ body: [UInt8], _ base: Currency, _ span: YearSpan, held: YearTable?
    ) -> Ingested? {
        do throws(IngestError) {
            return try Ingest.year(
                2026, of: base, from: body, status: 200, contentType: nil, span: span, held: held,
                limits: limits)
        } catch {
            claimIsFit("\(error)", atMost: 100)
            return nil
        }
    }

    private static func list(_ body: [UInt8]) {
        do throws(IngestError) {
            let list = try Ingest.currencies(
                from: body, status: 200, contentType: "text/html", storeNow: now, limits: limits)
            claimIsKept(list, of: .currencies)
        } catch {
            claimIsFit("\(error)", atMost: 100)
        }
    }

    private static func account(_ body: [UInt8]) {
        if let usage = AccountUsage(body: body) {
            claim((0...9_999_999_999).contains(usage.callsThisMonth), "\(usage.callsThisMonth) calls")
            claim(usage.limit.map { $0 > 0 } ?? true, "a limit of \(usage.limit ?? 0)")
            _ = usage.evidence(at: now)
        }
        if let problem = UpstreamProblem.read(body) { claimIsFit("\(problem)", atMost: 40) }
    }

    /// What was let in can be stored, comes back as the same, and can be answered from.
    private static func claimIsKept(_ ingested: Ingested, of resource: Resource) {
        claim(ingested.table.symbols.count <= limits.symbols, "\(ingested.table.symbols.count) symbols")
        let snapshot = ingested.snapshot(
            of: resource, token: FencingToken(now.value), fetchedAt: now, interval: .seconds(60))
        SnapshotTarget.claimComesBack(snapshot)
        SnapshotTarget.claimIsAnswered(snapshot)
    }
}
