import Testing

@testable import CacheLayer

@Suite("The list of currencies is let in")
struct ListIngestTests {
    @Test("as upstream documents it: every field of every currency, known or not, and those beside them")
    func list() throws {
        let list = try #require(try ListSample.ingested(ListSample.list).list)
        #expect(list.form == .list)
        #expect(list.entries.map(\.code) == ["EUR", "JPY", "XAU"].map(Currency.sample))
        #expect(list.entries.map(\.decimals) == [2, 0, 4] && list.types == ["fiat", "metal"])
        #expect(
            list.entries.last?.json == """
                {"code":"XAU","name":"Gold \\"troy\\"","type":"metal","decimals":4,"derived":true,\
                "units":{"oz":[1,{"g":31.10}]}}
                """)
        #expect(list.extras.map(\.name) == ["notice", "since"] && list.extras.last?.json == "1.50")
    }

    @Test("as a map in it, and as a bare map, whose other members describe nothing")
    func maps() throws {
        let map = try #require(try ListSample.ingested(ListSample.map).list)
        #expect(map.form == .map && map.extras.map(\.name) == ["n"])
        let bare = try #require(try ListSample.ingested(ListSample.bareMap).list)
        #expect(bare.form == .bareMap && bare.extras.map(\.name) == ["notice", "error_count"])
        for list in [map, bare] {
            #expect(list.entries.map(\.code) == ["EUR", "JPY"].map(Currency.sample))
            #expect(list.entries.map(\.json).last == #"{"decimals":0}"#)
        }
        // With a result it is one all the same, and its word is upstream's own.
        let named = try ListSample.ingested(#"{"result":"success","EUR":{"decimals":2}}"#).list
        #expect(named?.form == .bareMap && named?.extras.map(\.json) == [#""success""#])
    }

    @Test("not where a bare map has a code in two spellings: only one of them describes a currency")
    func spellings() {
        let map = #"{"eur":{"decimals":2},"EUR":5,"notice":"n"}"#
        #expect(throws: IngestError.duplicateNames) { try ListSample.ingested(map) }
    }

    @Test("has the time of its arrival, no rates, and no time of its own")
    func time() throws {
        let snapshot = try ListSample.snapshot()
        #expect(snapshot.table.symbols.isEmpty && snapshot.table.dataTime.instant == ListSample.fetchedAt)
        #expect(snapshot.order.dataTime == snapshot.fetchedAt)
    }

    @Test(
        "or refused as a whole",
        arguments: [
            ("", .notJSON), ("{", .notJSON), ("{\"result\":\"success\",\"currencies\":[],}", .notJSON),
            ("{\"result\":\"error\",\"currencies\":[{\"code\":\"EUR\"}]}", .notSuccess(nil)),
            ("{\"currencies\":[{\"code\":\"EUR\"}]}", .notSuccess(nil)),
            (
                "{\"result\":\"success\",\"success\":false,\"currencies\":[{\"code\":\"EUR\"}]}",
                .notSuccess(nil)
            ),
            ("{\"error\":{\"code\":\"forbidden\",\"name\":\"x\"}}", .notSuccess(.forbidden)),
            ("{\"success\":false,\"EUR\":{\"decimals\":2}}", .notSuccess(nil)),
            ("{\"result\":\"success\"}", .noCurrencies), ("{}", .noCurrencies), ("[]", .noCurrencies),
            ("{\"result\":\"success\",\"currencies\":[]}", .noCurrencies),
            ("{\"result\":\"success\",\"currencies\":\"EUR\"}", .noCurrencies),
            (
                "{\"result\":\"success\",\"currencies\":[\"EUR\",{\"code\":\"E\"},{\"name\":\"x\"}]}",
                .noCurrencies
            ),
            ("{\"result\":\"success\",\"currencies\":{\"EUR\":2,\"EU\":{}}}", .noCurrencies),
            (
                "{\"result\":\"success\",\"currencies\":[{\"code\":\"EUR\"},{\"code\":\"eur\"}]}",
                .duplicateNames
            ),
            ("{\"result\":\"success\",\"currencies\":{\"EUR\":{},\"Eur\":{}}}", .duplicateNames),
            (
                "{\"result\":\"success\",\"currencies\":[{\"code\":\"EUR\",\"code\":\"USD\"}]}",
                .duplicateNames
            ),
        ] as [(String, IngestError)])
    func refused(body: String, error: IngestError) {
        #expect(throws: error) { try ListSample.ingested(body) }
    }

    @Test("or refused for its status, its size or its depth")
    func limits() throws {
        #expect(throws: IngestError.not2xx(status: 304, nil)) {
            try ListSample.ingested(ListSample.list, status: 304)
        }
        let body = ListSample.list
        #expect(throws: IngestError.tooLarge) {
            try ListSample.ingested(body, limits: IngestLimits(body: body.utf8.count - 1))
        }
        #expect(throws: IngestError.tooDeep) { try ListSample.ingested(body, limits: IngestLimits(depth: 4)) }
        let short = try ListSample.ingested(body, limits: IngestLimits(symbols: 2, extras: 10))
        #expect(short.list?.entries.count == 2 && short.notes.counts[.tooManySymbols] == 1)
        #expect(short.list?.extras.map(\.name) == ["notice"] && short.notes.counts[.extraDropped] == 1)
        #expect(IngestError.noCurrencies.reason == "no_currencies")
    }

    @Test("what is no currency is left out and noted; an odd field is passed on and not believed")
    func odd() throws {
        let body = """
            {"result":"success","currencies":[{"code":"EUR","decimals":2.0,"type":7},{"code":"€"},12,
            {"code":"JPY","decimals":11},{"code":"GBP","decimals":-1},{"code":"CHF","decimals":null,"type":"a b"}]}
            """
        let ingested = try ListSample.ingested(body, contentType: "text/plain")
        let list = try #require(ingested.list)
        #expect(list.entries.map(\.code.code) == ["EUR", "JPY", "GBP", "CHF"])
        #expect(list.entries.allSatisfy { $0.decimals == nil && $0.type == nil })
        #expect(list.entries[0].json == #"{"code":"EUR","decimals":2.0,"type":7}"#)
        #expect(ingested.notes.counts == [.invalidCode: 2, .field: 4, .contentType: 1])
    }

    @Test("only decimals that ISO 4217 has otherwise are remembered")
    func minorUnits() throws {
        let body = """
            {"result":"success","currencies":[{"code":"EUR","decimals":2},{"code":"JPY","decimals":0},
            {"code":"HUF","decimals":0},{"code":"XAU","decimals":4},{"code":"POINTS","decimals":0},{"code":"CLP"}]}
            """
        let list = try #require(try ListSample.ingested(body).list)
        #expect(
            list.minorUnits == [.sample("HUF"): 0, .sample("XAU"): 4, .sample("POINTS"): 0])
    }
}
