import Testing

@testable import CacheLayer

@Suite("Conversions")
struct ConversionTests {
    @Test("C001: 1000000000 × 0.691 is exactly 691000000")
    func exactProduct() throws {
        let result = try convert("1000000000", "USD", "EUR", in: table("USD", [("EUR", "0.691")]))
        #expect(result.unrounded.description == "691000000")
        #expect(result.rounded.description == "691000000.00")
    }

    @Test("C009: 100000 IDR over the inverse are 5.75 EUR")
    func overInverse() throws {
        let result = try convert("100000", "IDR", "EUR", in: table("EUR", [("IDR", "17385.5")]))
        #expect(result.unrounded.description == "5.75191970320094331483132")
        #expect(result.rounded.description == "5.75")
    }

    @Test("C012: an amount converted and converted back is what it was")
    func thereAndBack() throws {
        let rates = try table("USD", [("ARS", "1483.467")])
        let there = try convert("42.50", "ARS", "USD", in: rates)
        #expect(there.unrounded.description == "0.0286491037549200622595582")
        #expect(there.rounded.description == "0.03")
        let back = try convert(there.unrounded.description, "USD", "ARS", in: rates)
        #expect(back.rounded.description == "42.50")
    }

    @Test("C014: 1000.50 USD are 150060 JPY, and a tie goes by the mode that was named")
    func ties() throws {
        let rates = try table("USD", [("JPY", "149.985"), ("KRW", "1380.5")])
        let yen = try convert("1000.50", "USD", "JPY", in: rates)
        #expect(yen.unrounded.description == "150059.9925")
        #expect(yen.rounded.description == "150060")
        for (mode, won) in [
            (RoundingMode.halfEven, "1380"), (.halfUp, "1381"), (.down, "1380"), (.up, "1381"),
        ] {
            let result = try convert("1", "USD", "KRW", in: rates, mode)
            #expect(result.unrounded.description == "1380.5")
            #expect(result.rounded.description == won)
        }
    }

    @Test("C023: 99999999999999999999.99 × 25.123456 is exact to the last digit")
    func bigProduct() throws {
        let result = try convert(
            "99999999999999999999.99", "USD", "CZK", in: table("USD", [("CZK", "25.123456")]))
        #expect(result.unrounded.description == "2512345599999999999999.74876544")
        #expect(result.rounded.description == "2512345599999999999999.75")
    }

    @Test("C034: 3 XAU are 12448.13 USD; a target without a minor unit stays unrounded")
    func metals() throws {
        let rates = try table("USD", [("XAU", "0.000241")])
        let dollars = try convert("3", "XAU", "USD", in: rates)
        #expect(dollars.unrounded.description == "12448.1327800829875518672")
        #expect(dollars.rounded.description == "12448.13")
        let gold = try convert("3", "USD", "XAU", in: rates)
        #expect(gold.rounded.description == "0.000723")
        #expect(gold.minorUnits == nil)
    }

    @Test("C037: an amount in its own currency is itself, to the minor unit")
    func identity() throws {
        let result = try convert("10.005", "EUR", "EUR", in: table("EUR", [("GBP", "0.8523")]))
        #expect(result.unrounded.description == "10.005")
        #expect(result.rounded.description == "10.00")
    }

    @Test("the minor unit is rounded from the exact quotient, not from its 24 digits")
    func oneRounding() throws {
        // 1 / 200 and a little more or less at the 31st digit: the 24 digits of both are 0.005.
        let more = try table("USD", [("EUR", "200"), ("GBP", "1.0000000000000000000000000001")])
        let above = try convert("1", "EUR", "GBP", in: more)
        #expect(above.unrounded.description == "0.005")
        #expect(above.rounded.description == "0.01")
        let less = try table("USD", [("EUR", "200"), ("GBP", "0.9999999999999999999999999999")])
        let below = try convert("1", "EUR", "GBP", in: less, .halfUp)
        #expect(below.unrounded.description == "0.005")
        #expect(below.rounded.description == "0.00")
        // Nor from the rounded cross: 3 × (1 / 3) is 1, not 0.999….
        let thirds = try table("USD", [("EUR", "3"), ("GBP", "1")])
        #expect(try convert("3", "EUR", "GBP", in: thirds, .down).rounded.description == "1.00")
        #expect(try convert("3", "EUR", "GBP", in: thirds).unrounded.description == "1")
    }

    @Test("a big derived result keeps its cents also when unrounded")
    func bigDerived() throws {
        let rates = try table("USD", [("EUR", "1.0"), ("GBP", "1.00")])
        let result = try convert("99999999999999999999.99", "EUR", "GBP", in: rates)
        #expect(result.unrounded.description == "99999999999999999999.99")
        #expect(result.rounded.description == "99999999999999999999.99")
    }

    @Test("nothing stays nothing")
    func zero() throws {
        let rates = try table("USD", [("EUR", "0.9"), ("GBP", "0.79")])
        for (from, to) in [("USD", "EUR"), ("EUR", "USD"), ("EUR", "GBP"), ("EUR", "EUR")] {
            let result = try convert("0", from, to, in: rates, .up)
            #expect(result.unrounded.description == "0")
            #expect(result.rounded.description == "0.00")
        }
    }

    @Test("the widest amounts at the widest rates never overflow, in any mode, to any minor unit")
    func extremes() throws {
        let tiny = "0.00000000000000000100000000000000000000000000000000000"
        let rates = try table(
            "USD",
            [
                ("LOW", tiny), ("TOP", "999999999999999999.999999999999999999"), ("ONE", "1"),
                ("MIN", "0.000000000000000001"), ("MAX", "999999999999999999"),
            ])
        let amounts = [
            String(repeating: "9", count: 30) + ".999999", "0.000000000000000000000000000000000001",
            "0." + String(repeating: "9", count: 36), "1",
        ]
        for amount in amounts {
            for from in ["USD", "LOW", "TOP", "ONE", "MIN", "MAX"] {
                for to in ["USD", "LOW", "TOP", "ONE", "MIN", "MAX"] {
                    for (mode, units) in zip(RoundingMode.allCases, [0, 2, 10, 10]) {
                        let result = try Conversion(
                            of: Amount(parsing: amount),
                            at: PairQuote(currency(from), currency(to), in: rates),
                            minorUnits: units, rounding: mode)
                        #expect(result.rounded.scale == units)
                    }
                }
            }
        }
    }

    private func convert(
        _ amount: String, _ from: String, _ to: String, in rates: RateTable, _ mode: RoundingMode = .halfEven
    ) throws -> Conversion {
        try Conversion(
            of: Amount(parsing: amount), at: PairQuote(currency(from), currency(to), in: rates),
            minorUnits: MinorUnits.decimals(of: currency(to)), rounding: mode)
    }
}
