import CacheLayer

/// What is measured: each piece on the same table of thirty symbols.
enum Pieces {
    private static let body = Array(
        """
        {"result":"success","base":"EUR","source":"ecb_daily","market_session":"open",\
        "timestamp":"2026-06-16T14:02:03Z","data_updated_at":"2026-06-15T14:00:00Z","rates":{\
        "AUD":1.7702,"BRL":6.3551,"CAD":1.5689,"CHF":0.9391,"CNY":8.3012,"CZK":24.787,"DKK":7.4588,"GBP":0.85214,\
        "HKD":9.0741,"HUF":402.35,"IDR":18841.22,"ILS":4.0321,"INR":99.412,"ISK":143.9,"JPY":167.31,"KRW":1571.04,\
        "MXN":21.9934,"MYR":4.9012,"NOK":11.512,"NZD":1.9134,"PHP":64.912,"PLN":4.2631,"RON":5.0512,"SEK":10.9855,\
        "SGD":1.4801,"THB":37.601,"TRY":45.7712,"USD":1.15632,"ZAR":20.4417},"notice":"Indicative rates."}
        """.utf8)
    private static let noon = UnixMilliseconds(1_781_611_200_000)

    static var all: [Piece] {
        guard let euro = Currency("EUR"), let dollar = Currency("USD"), let yen = Currency("JPY"),
            let amount = try? Amount(parsing: "1234.56"), let ingested = try? ingest(euro),
            let pair = try? PairQuote(dollar, yen, in: ingested.table)
        else { preconditionFailure("the sample is an accepted answer") }
        let snapshot = ingested.snapshot(
            of: .latest(base: euro), token: FencingToken(noon.value), fetchedAt: noon, interval: .seconds(270)
        )
        let codec = SnapshotCodec(policy: TierPolicy())
        let stored = codec.encode(snapshot)
        let digits = Array("1.1172404971672576".utf8)
        return [
            Piece(name: "rate: parse 17 digits") { repeated($0) { (try? Rate(json: digits))?.scale ?? 0 } },
            Piece(name: "table: find a symbol") {
                repeated($0) { ingested.table.entry(of: yen)?.rate.scale ?? 0 }
            },
            Piece(name: "pair: cross of two symbols") {
                repeated($0) { (try? PairQuote(dollar, yen, in: ingested.table))?.rate.scale ?? 0 }
            },
            Piece(name: "convert: amount over a cross") {
                repeated($0) { (try? Conversion(of: amount, at: pair, minorUnits: 0))?.rounded.scale ?? 0 }
            },
            Piece(name: "ingest: a table of 29 symbols") {
                repeated($0) { (try? ingest(euro))?.table.symbols.count ?? 0 }
            },
            Piece(name: "snapshot: encode") { repeated($0) { codec.encode(snapshot).body.count } },
            Piece(name: "snapshot: decode") {
                repeated($0) { (try? codec.decode(stored))?.table.symbols.count ?? 0 }
            },
        ]
    }

    private static func ingest(_ base: Currency) throws(IngestError) -> Ingested {
        try Ingest.table(
            from: body, status: 200, contentType: "application/json", expecting: base, held: nil,
            storeNow: noon)
    }

    private static func repeated(_ count: Int, _ body: () -> Int) -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= body() }
        return sum
    }
}
