import Testing

@testable import CacheLayer

@Suite("Rates that jump") struct QuarantineTests {
    private static let start = utc(2026, 3, 10, 14)
    private let policy = TierPolicy()

    /// A table of the dollar at a minute of the day.
    private func body(
        _ rates: String, minute: Int, source: String = "test-feed", session: String = "open",
        sources: String? = nil
    ) -> [UInt8] {
        var body = SampleBody()
        body.source = "\"\(source)\""
        body.sources = sources
        body.session = "\"\(session)\""
        body.timestamp = nil
        body.dataTime = "\((Self.start.value / 1_000) + Int64(minute * 60))"
        body.rates = rates
        return body.bytes
    }

    private func ingest(
        _ bytes: [UInt8], minute: Int, held: RateTable?, band: QuarantineBand? = .standard,
        interval: Duration = .seconds(60)
    ) throws -> Ingested {
        try Ingest.table(
            from: bytes, status: 200, contentType: "application/json", expecting: .sample("USD"), held: held,
            storeNow: Self.start + .seconds(Int64(minute * 60) + 5), interval: interval, policy: policy,
            band: band)
    }

    /// Tables of one symbol, one after the other, five minutes apart.
    private func life(_ rates: [String], band: QuarantineBand? = .standard) throws -> [Ingested] {
        var lives: [Ingested] = []
        for (place, rate) in rates.enumerated() {
            let bytes = body("{\"XAU\":\(rate)}", minute: place * 5)
            lives.append(try ingest(bytes, minute: place * 5, held: lives.last?.table, band: band))
        }
        return lives
    }

    private func served(_ life: Ingested) -> String? {
        life.table.entry(of: .sample("XAU")).map { "\($0.rate.text)\($0.kept == nil ? "" : " kept")" }
    }

    // MARK: Field cases

    @Test("C035: three times the value ten minutes later is held back for that symbol alone, never averaged")
    func threefold() throws {
        let first = body(
            "{\"XAU\":0.000241,\"XAG\":0.0198,\"XDR\":0.7309,\"EUR\":0.8612}", minute: 0)
        let held = try ingest(first, minute: 0, held: nil).table
        let second =
            #"{"base":"USD","rates":{"XAU":0.000723,"XAG":0.0198,"XDR":0.7313,"EUR":0.8613},"result":"success","source":"test-feed","market_session":"open","data_updated_at":"2026-03-10T14:10:00Z"}"#
        let ingested = try ingest(Array(second.utf8), minute: 10, held: held)
        let gold = try #require(ingested.table.entry(of: .sample("XAU")))
        #expect(gold.rate.text == "0.000241" && gold.kept == .quarantine)
        #expect(gold.effectiveAt == held.dataTime)
        #expect(gold.quarantined?.rate.text == "0.000723" && gold.quarantined?.confirmations == 0)
        for (code, rate) in [("XAG", "0.0198"), ("XDR", "0.7313"), ("EUR", "0.8613")] {
            let entry = try #require(ingested.table.entry(of: .sample(code)))
            #expect(entry.rate.text == rate && entry.kept == nil)
        }
        #expect(ingested.notes.quarantined == [.sample("XAU")])
        #expect(ingested.notes.missing.isEmpty)
    }

    @Test(
        "C072: a wild value on Saturday leaves Friday's in its place, marked, also when its data time is old")
    func saturday() throws {
        let friday =
            #"{"result":"success","base":"USD","rates":{"EUR":0.8612,"GBP":0.7401},"source":"test-feed-b","market_session":"closed","data_updated_at":"2026-03-06T21:59:00Z"}"#
        let saturday =
            #"{"base":"USD","result":"success","rates":{"EUR":1.1612,"GBP":0.7402},"source":"test-feed-b","market_session":"closed","data_updated_at":"2026-03-07T10:00:00Z"}"#
        let now = utc(2026, 3, 7, 10, 1)
        func take(_ text: String, held: RateTable?, at now: UnixMilliseconds) throws -> RateTable {
            try Ingest.table(
                from: Array(text.utf8), status: 200, contentType: nil, expecting: .sample("USD"), held: held,
                storeNow: now, interval: .seconds(300), policy: policy, band: .standard
            ).table
        }
        // Fetched again and again since Friday evening: the market is closed, the data time stands.
        let held = try take(friday, held: nil, at: utc(2026, 3, 7, 9, 56))
        let table = try take(saturday, held: held, at: now)
        let euro = try #require(table.entry(of: .sample("EUR")))
        #expect(euro.rate.text == "0.8612" && euro.kept == .quarantine)
        #expect(euro.effectiveAt?.text == "2026-03-06T21:59:00Z")
        #expect(table.entry(of: .sample("GBP"))?.rate.text == "0.7402")
        #expect(table.marketSession == "closed" && table.source == .unknown("test-feed-b"))
        let snapshot = SampleSnapshot(fetchedAt: now).made(with: table)
        let standing = EntryStanding(of: euro, in: snapshot, age: .zero, policy: policy)
        #expect(standing.state == .stale && standing.ownReason == .quarantine)
        #expect(standing.servedUntil == now + .seconds(3_600))
    }

    // MARK: The band

    @Test(
        "the band's edge passes, one unit more doesn't, up and down, at every scale",
        arguments: [
            ("1", "1.1", true), ("1", "1.10000000000000000000000000000000001", false),
            ("1", "0.9", true), ("1", "0.89999999999999999999999999999999999", false),
            ("0.000241", "0.0002651", true), ("0.000241", "0.00026510000000000000001", false),
            ("149.985", "134.9865", true), ("149.985", "134.9864", false),
            ("0.00000910", "0.0000100100", true), ("24865231.5", "27351754.65", true),
            ("24865231.5", "27351754.66", false), ("99999999999999999", "109999999999999998.9", true),
        ])
    func edges(last: String, rate: String, passes: Bool) throws {
        #expect(try QuarantineBand.standard.holds(Rate(json: rate), near: Rate(json: last)) == passes)
    }

    @Test("a narrow band counts its basis points, from 100 % on no fall leaves it, off lets all pass")
    func bands() throws {
        let narrow = QuarantineBand(basisPoints: 1)
        #expect(try narrow.holds(Rate(json: "1.0001"), near: .one))
        #expect(try !narrow.holds(Rate(json: "1.00010000001"), near: .one))
        let wide = QuarantineBand(basisPoints: 10_000)
        #expect(try wide.holds(Rate(json: "0.000000000000000001"), near: .one))
        #expect(try wide.holds(Rate(json: "2"), near: .one))
        #expect(try !wide.holds(Rate(json: "2.0000000001"), near: .one))
        #expect(try life(["1", "1000"], band: nil).map(served) == ["1", "1000"])
        // What was held back while the band was on is taken once it is off.
        let held = try #require(try life(["1", "2"]).last).table
        let taken = try ingest(body("{\"XAU\":2}", minute: 10), minute: 10, held: held, band: nil)
        #expect(served(taken) == "2")
    }

    // MARK: What becomes of it

    @Test("two confirmations in the next two answers let it in, with the newest value and never a mean")
    func confirmed() throws {
        let lives = try life(["1", "2", "2.1", "1.9"])
        #expect(lives.map(served) == ["1", "1 kept", "1 kept", "1.9"])
        #expect(lives.map(\.notes.quarantined.count) == [0, 1, 0, 0])
        #expect(lives.map(\.notes.confirmed.count) == [0, 0, 0, 1])
        let counts = lives.map { $0.table.entry(of: .sample("XAU"))?.quarantined?.confirmations }
        #expect(counts == [nil, 0, 1, nil])
        #expect(lives[2].table.entry(of: .sample("XAU"))?.quarantined?.rate.text == "2.1")
    }

    @Test(
        "nearness is the same band around the value that was held back first: its edge counts, more begins anew"
    )
    func nearness() throws {
        #expect(try life(["1", "2", "2.2", "1.8"]).map(served) == ["1", "1 kept", "1 kept", "1.8"])
        let drifting = try life(["1", "2", "2.2", "2.2000000001", "2.2", "2.3"])
        #expect(drifting.map(served) == ["1", "1 kept", "1 kept", "1 kept", "1 kept", "2.3"])
        #expect(drifting.map(\.notes.quarantined.count) == [0, 1, 0, 1, 0, 0])
        let flapping = try life(["1", "2", "3", "2", "3", "2", "3"])
        #expect(flapping.dropFirst().allSatisfy { served($0) == "1 kept" })
    }

    @Test("a value that comes back within the band ends it, and is nothing that was confirmed")
    func dismissed() throws {
        let lives = try life(["1", "2", "1.05", "2"])
        #expect(lives.map(served) == ["1", "1 kept", "1.05", "1.05 kept"])
        #expect(lives.map(\.notes.dismissed.count) == [0, 0, 1, 0])
        #expect(lives[3].table.entry(of: .sample("XAU"))?.quarantined?.confirmations == 0)
    }

    @Test("an answer without the symbol neither confirms nor ends it, and what was seen keeps its own time")
    func missing() throws {
        let lives = try life(["1", "2"])
        let without = try ingest(body("{\"EUR\":0.9}", minute: 10), minute: 10, held: lives[1].table)
        let entry = try #require(without.table.entry(of: .sample("XAU")))
        #expect(entry.kept == .quarantine && entry.quarantined?.confirmations == 0)
        #expect(entry.effectiveAt == lives[0].table.dataTime)
        #expect(entry.quarantined?.effectiveAt == lives[1].table.dataTime)
        #expect(without.notes.missing.map(\.isKept) == [true])
        let once = try ingest(
            body("{\"XAU\":2,\"EUR\":0.9}", minute: 15), minute: 15, held: without.table)
        #expect(once.table.entry(of: .sample("XAU"))?.quarantined?.confirmations == 1)
    }

    @Test(
        "a symbol that was missing and comes back far away is held back to the end of its old value's own window"
    )
    func returning() throws {
        let first = try ingest(body("{\"XAU\":1,\"EUR\":0.9}", minute: 0), minute: 0, held: nil)
        let without = try ingest(body("{\"EUR\":0.9}", minute: 5), minute: 5, held: first.table)
        #expect(without.table.entry(of: .sample("XAU"))?.kept == .missing)
        let back = try ingest(
            body("{\"XAU\":2,\"EUR\":0.9}", minute: 10), minute: 10, held: without.table)
        let entry = try #require(back.table.entry(of: .sample("XAU")))
        #expect(entry.rate.text == "1" && entry.kept == .quarantine)
        // Unknown class: five minutes, the upstream timeout and an hour from its data time.
        #expect(entry.quarantined?.keptUntil == Self.start + .seconds(300 + 10 + 3_600))
    }

    @Test("a first table, a new symbol and a change of class have no last value: they pass")
    func noLastValue() throws {
        let held = try ingest(
            body("{\"EUR\":0.85,\"CZK\":20}", minute: 0, source: "live"), minute: 0, held: nil)
        #expect(held.notes.quarantined.isEmpty)
        let next = try ingest(
            body(
                "{\"EUR\":8.5,\"CZK\":200,\"XAU\":9}", minute: 5, source: "live",
                sources: "{\"CZK\":\"ecb_daily\"}"), minute: 5, held: held.table)
        #expect(next.notes.quarantined == [.sample("EUR")])
        #expect(next.table.entry(of: .sample("CZK"))?.rate.text == "200")
        #expect(next.table.entry(of: .sample("XAU"))?.rate.text == "9")
        // Out of quarantine by a change of class as well: it is another measurement.
        let moved = try ingest(
            body("{\"EUR\":8.5}", minute: 10, source: "live", sources: "{\"EUR\":\"ecb_daily\"}"),
            minute: 10, held: next.table)
        #expect(moved.table.entry(of: .sample("EUR"))?.kept == nil)
    }

    @Test("where every rate jumps because the base changed its value, every symbol is held back")
    func wholeTable() throws {
        let held = try ingest(
            body("{\"EUR\":0.85,\"GBP\":0.74,\"JPY\":150}", minute: 0), minute: 0, held: nil)
        let next = try ingest(
            body("{\"EUR\":1.7,\"GBP\":1.48,\"JPY\":300}", minute: 5), minute: 5, held: held.table)
        #expect(next.table.symbols.allSatisfy { $0.kept == .quarantine })
        #expect(next.notes.quarantined.count == 3)
        // The table itself is newer, so that order and schedule go on.
        #expect(next.table.dataTime > held.table.dataTime)
    }

    @Test(
        "the old value stays to the end of the window that it had, to the millisecond; then the new one passes"
    )
    func window() throws {
        let lives = try life(["1", "2"])
        let entry = try #require(lives[1].table.entry(of: .sample("XAU")))
        let end = try #require(entry.quarantined).keptUntil
        #expect(end == Self.start + .seconds(305 + 3_600))
        let snapshot = SampleSnapshot(fetchedAt: Self.start + .seconds(305)).made(with: lives[1].table)
        #expect(policy.servedUntil(of: entry, in: snapshot) == end)
        #expect(
            policy.freshness(of: entry, in: snapshot, age: .seconds(3_600) - .milliseconds(1)) == .stale)
        #expect(policy.freshness(of: entry, in: snapshot, age: .seconds(3_600)) == .expired)
        // 9 is near neither; a row of wild values doesn't lengthen the window.
        let before = try ingest(body("{\"XAU\":9}", minute: 64), minute: 64, held: lives[1].table)
        #expect(served(before) == "1 kept")
        #expect(before.table.entry(of: .sample("XAU"))?.quarantined?.keptUntil == end)
        let after = try ingest(body("{\"XAU\":9}", minute: 65), minute: 65, held: before.table)
        #expect(served(after) == "9")
    }

    @Test("an operator's acceptance takes the newest value under its own time")
    func accepted() throws {
        let lives = try life(["1", "2", "2.1"])
        let table = lives[2].table.accepting([.sample("XAU"), .sample("EUR")])
        let entry = try #require(table.entry(of: .sample("XAU")))
        #expect(entry.rate.text == "2.1" && entry.kept == nil && entry.quarantined == nil)
        #expect(lives[2].table.quarantined == [.sample("XAU")] && table.quarantined.isEmpty)
        #expect(lives[2].table.accepting([.sample("EUR")]) == lives[2].table)
        // And the next jump is measured from there.
        let next = try ingest(body("{\"XAU\":2}", minute: 15), minute: 15, held: table)
        #expect(served(next) == "2")
    }
}

extension Timestamp {
    static func > (left: Timestamp, right: Timestamp) -> Bool { left.instant > right.instant }
}

extension SampleSnapshot {
    /// A snapshot of another table, fetched at this one's time.
    func made(with table: RateTable) -> RateSnapshot {
        RateSnapshot(
            id: SnapshotID(fetchedAt: fetchedAt, digest: [1, 2, 3, 4]),
            resource: .latest(base: table.base), token: FencingToken(7), fetchedAt: fetchedAt,
            interval: interval, table: table)
    }
}
