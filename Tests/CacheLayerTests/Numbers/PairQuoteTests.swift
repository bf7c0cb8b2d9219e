import Foundation
import Testing

@testable import CacheLayer

@Suite("Pair quotes")
struct PairQuoteTests {
    private let usd: RateTable

    init() throws {
        usd = try table(
            "USD",
            [
                ("EUR", "0.92450"), ("JPY", "149.985"), ("SGD", "1.2871"), ("BND", "1.2873"),
                ("ARS", "1483.467"),
                ("XAU", "0.000241"), ("XAG", "0.0198"), ("XDR", "0.7312"), ("GBP", "0.79"), ("MXN", "17.04"),
                ("IDR", "17385.5"),
            ])
    }

    @Test("a rate of the table is passed on digit for digit")
    func direct() throws {
        let pair = try quote("USD", "EUR")
        #expect(pair.rate.text == "0.92450")
        #expect(pair.derivation == .direct)
        #expect(pair.via == nil)
        #expect(pair.legs.isEmpty)
        #expect(pair.derivationBpsMax == nil)
    }

    @Test("C009: an inverse keeps 18 significant digits")
    func inverse() throws {
        let pair = try PairQuote(currency("IDR"), currency("EUR"), in: table("EUR", [("IDR", "17385.5")]))
        #expect(pair.rate.text == "0.0000575191970320094331")
        #expect(pair.derivation == .inverse)
        #expect(pair.via == nil)
        #expect(pair.legs.map(\.rate.text) == ["17385.5"])
    }

    @Test("C034: metals and XDR are reckoned like money")
    func metals() throws {
        #expect(try quote("XAU", "USD").rate.text == "4149.37759336099585")
        #expect(try quote("XAU", "XAG").derivation == .cross)
        #expect(try quote("XDR", "USD").rate.text == "1.36761487964989059")
    }

    @Test("C011: a pair and its opposite multiply to 1 within 10^-15 and carry the same time")
    func opposite() throws {
        let there = try quote("SGD", "BND")
        let back = try quote("BND", "SGD")
        #expect(there.derivation == .cross)
        #expect(there.via?.code == "USD")
        #expect(there.legs.map(\.currency.code) == ["SGD", "BND"])
        #expect(there.effectiveAt == back.effectiveAt)
        let product = try there.rate.exact.multiplied(by: back.rate.exact)
        #expect(try product > exact("0.999999999999999"))
        #expect(try product < exact("1.000000000000001"))
    }

    @Test("C037: a currency in itself is exactly 1, for the base and for all others")
    func identity() throws {
        for code in ["USD", "EUR", "XAU"] {
            let pair = try quote(code, code)
            #expect(pair.rate.text == "1")
            #expect(pair.derivation == .identity)
            #expect(pair.derivationBpsMax == nil)
            #expect(pair.legs.isEmpty)
        }
        let odd = try table("EUR", [("EUR", "0.99"), ("GBP", "0.8523")])
        #expect(try PairQuote(currency("EUR"), currency("EUR"), in: odd).rate.text == "1")
        #expect(try PairQuote(currency("EUR"), currency("GBP"), in: odd).rate.text == "0.8523")
        #expect(try PairQuote(currency("GBP"), currency("EUR"), in: odd).derivation == .inverse)
    }

    @Test("C046: of all ordered pairs of twelve codes each one works, and so does its opposite")
    func allPairs() throws {
        let codes = ["USD"] + usd.symbols.map(\.currency.code)
        #expect(codes.count == 12)
        let close = (try exact("0.999999999999999"), try exact("1.000000000000001"))
        for from in codes {
            for to in codes {
                let product = try quote(from, to).rate.exact.multiplied(by: quote(to, from).rate.exact)
                #expect(product > close.0 && product < close.1, "\(from) \(to)")
                if try quote(from, to).derivation == .cross {
                    #expect(try quote(from, to).derivationBpsMax == quote(to, from).derivationBpsMax)
                }
            }
        }
    }

    @Test("C019: a code without a rate is named, the pair's base first")
    func unknown() throws {
        #expect(throws: PairError.unknown(try currency("EEK"))) { try quote("EEK", "USD") }
        #expect(throws: PairError.unknown(try currency("EEK"))) { try quote("USD", "EEK") }
        #expect(throws: PairError.unknown(try currency("HRK"))) { try quote("HRK", "EEK") }
        #expect(throws: PairError.unknown(try currency("EEK"))) { try quote("EEK", "EEK") }
    }

    @Test(
        "the bound of the error is half a unit of each leg's last digit, rounded up to a tenth",
        arguments: [
            // 1/2 × 10^5 / mantissa in tenths: 50000/12871 + 50000/12873 = 7.77 → 0.8
            ("SGD", "BND", "0.8"), ("EUR", "USD", "0.1"), ("XAU", "USD", "20.8"), ("XAU", "XAG", "46.0"),
            ("JPY", "USD", "0.1"), ("IDR", "ARS", "0.1"),
        ])
    func bound(from: String, to: String, expected: String) throws {
        #expect(try quote(from, to).derivationBpsMax?.description == expected)
    }

    @Test("the bound agrees with the oracle for random legs")
    func randomBounds() throws {
        var cases = NumberCases(seed: 2)
        for _ in 0..<20_000 {
            let a = cases.text(digits: 1...12, decimals: 0...6)
            let b = cases.text(digits: 1...12, decimals: 0...6)
            let rates = try table("USD", [("AAA", a), ("BBB", b)])
            let bound = try #require(
                try PairQuote(currency("AAA"), currency("BBB"), in: rates).derivationBpsMax)
            // bound - 1 < 50000 (a + b) / (a b) <= bound, in tenths.
            let (m, n) = try (decimal(String(rate(a).mantissa)), decimal(String(rate(b).mantissa)))
            let tenths = try decimal(bound.magnitude.low.description)
            let exact = (m + n) * 50_000
            if tenths * m * n < exact || (tenths - 1) * m * n >= exact { Issue.record("\(a) \(b): \(bound)") }
        }
    }

    @Test("a cross carries the slower class, the older time and the mark of its legs, both ways")
    func labels() throws {
        let noon = try Timestamp(rfc3339: "2026-03-10T12:00:00Z")
        let friday = try Timestamp(rfc3339: "2026-03-06T16:00:00+01:00")
        let rates = RateTable(
            base: try currency("USD"), source: .live, marketSession: nil, timestamp: nil, dataTime: noon,
            symbols: [
                SymbolRate(currency: try currency("EUR"), rate: try rate("0.9"), source: .live),
                SymbolRate(
                    currency: try currency("SEK"), rate: try rate("10.4"), source: .ecbDaily,
                    effectiveAt: friday),
                SymbolRate(
                    currency: try currency("TWD"), rate: try rate("31.9"), source: .fredDaily, kept: .missing),
                SymbolRate(
                    currency: try currency("XYZ"), rate: try rate("2"), source: .unknown("other"),
                    kept: .quarantine),
            ], hasSources: true, hasEffectiveAt: true, notice: nil)
        for (a, b, source, time, kept) in [
            ("USD", "USD", Source.live, noon, SymbolRate.Kept?.none), ("USD", "EUR", .live, noon, nil),
            ("USD", "SEK", .ecbDaily, friday, nil), ("EUR", "SEK", .ecbDaily, friday, nil),
            ("SEK", "SEK", .ecbDaily, friday, nil), ("SEK", "TWD", .fredDaily, friday, .missing),
            ("EUR", "XYZ", .unknown("other"), noon, .quarantine),
            ("XYZ", "SEK", .ecbDaily, friday, .quarantine),
            ("XYZ", "TWD", .fredDaily, noon, .quarantine),
        ] {
            for (from, to) in [(a, b), (b, a)] {
                let pair = try PairQuote(currency(from), currency(to), in: rates)
                #expect(pair.source == source, "\(from) \(to)")
                #expect(pair.effectiveAt == time, "\(from) \(to)")
                #expect(pair.kept == kept, "\(from) \(to)")
            }
        }
    }

    @Test("the widest published rates still give a cross and an inverse")
    func extremes() throws {
        let tiny = "0.00000000000000000100000000000000000000000000000000001"
        let rates = try table("USD", [("LOW", tiny), ("TOP", "999999999999999999.999999999999999999")])
        let up = try PairQuote(currency("LOW"), currency("TOP"), in: rates)
        #expect(up.rate.text == "999999999999999999999999999999999989")
        let down = try PairQuote(currency("TOP"), currency("LOW"), in: rates)
        #expect(down.rate.text == "0.000000000000000000000000000000000001")
        let inverse = try PairQuote(currency("LOW"), currency("USD"), in: rates)
        #expect(inverse.rate.text == "1000000000000000000")
    }

    private func quote(_ from: String, _ to: String) throws -> PairQuote {
        try PairQuote(currency(from), currency(to), in: usd)
    }
}
