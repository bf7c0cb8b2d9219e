import TestSupport
import Testing

@testable import CacheLayer

/// Cases beyond the 38 digits of `Decimal`, against schoolbook arithmetic; and small ones, all of them.
@Suite("Numbers agree with schoolbook arithmetic")
struct NumberOracleTests {
    @Test("products of up to 72 digits are exact")
    func products() throws {
        var cases = NumberCases(seed: 21)
        for _ in 0..<Samples.count(20_000) {
            let a = cases.text(digits: 1...36, decimals: 0...6)
            let b = cases.text(digits: 1...36, decimals: 0...6)
            let factors = (try wide(a), try wide(b))
            let product = try factors.0.multiplied(by: factors.1)
            if Natural(digits: product.description) != Natural(digits: a) * Natural(digits: b) {
                Issue.record("\(a) × \(b): \(product)")
            }
        }
    }

    @Test("quotients of 36-digit rates are the nearest number of 18 digits")
    func quotients() throws {
        var cases = NumberCases(seed: 22)
        for _ in 0..<Samples.count(20_000) {
            let a = cases.text(digits: 1...36, decimals: 0...36)
            let b = cases.text(digits: 1...36, decimals: 0...36)
            let quotient = try wide(a).divided(by: wide(b))
            guard !quotient.magnitude.isZero else {
                Issue.record("\(a) / \(b) is nothing")
                continue
            }
            let scale = quotient.scale + max(0, 18 - quotient.magnitude.digitCount)
            try checkNearest(quotient, scale: scale, dividend: wide(a), divisor: wide(b))
        }
    }

    @Test("wide conversions are rounded right to the minor unit, in every mode")
    func conversions() throws {
        var cases = NumberCases(seed: 23)
        let (eur, gbp) = try (currency("EUR"), currency("GBP"))
        for _ in 0..<Samples.count(20_000) {
            let rates = try table(
                "USD",
                [
                    ("EUR", cases.text(digits: 18...36, decimals: 18...30)),
                    ("GBP", cases.text(digits: 18...36, decimals: 18...30)),
                ])
            let pair = try PairQuote(eur, gbp, in: rates)
            let amount = try Amount(parsing: cases.text(digits: 1...30, decimals: 0...18))
            let results = try RoundingMode.allCases.map {
                try Conversion(of: amount, at: pair, minorUnits: 2, rounding: $0).rounded
            }
            let dividend = try amount.value.multiplied(by: pair.numerator.exact)
            try checkNearest(results[0], scale: 2, dividend: dividend, divisor: pair.denominator.exact)
            // down <= exact <= up, and the nearest one is one of the two.
            let (down, up) = (results[2], results[3])
            let sides = Sides(down, dividend: dividend, divisor: pair.denominator.exact)
            #expect(sides.product <= sides.dividend)
            let upper = Sides(up, dividend: dividend, divisor: pair.denominator.exact)
            #expect(upper.product >= upper.dividend)
            #expect([down, up].contains(results[0]) && [down, up].contains(results[1]))
            #expect(sides.product == sides.dividend || up.magnitude == down.magnitude.adding(UInt256(1)))
        }
    }

    @Test("all small quotients are rounded right in every mode")
    func small() throws {
        for divisor in 1...40 {
            for dividend in 0...400 {
                let ratio = ExactRatio(
                    numerator: UInt256(UInt128(dividend)), denominator: UInt128(divisor), scale: 0)
                for decimals in 0...2 {
                    let scaled = dividend * [1, 10, 100][decimals]
                    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: divisor)
                    for mode in RoundingMode.allCases {
                        let up =
                            switch mode {
                            case .down: false
                            case .up: rest > 0
                            case .halfUp: rest * 2 >= divisor
                            case .halfEven: rest * 2 > divisor || (rest * 2 == divisor && whole % 2 == 1)
                            }
                        let result = try ratio.rounded(decimals: decimals, mode)
                        if result.magnitude.word != UInt128(whole + (up ? 1 : 0)) {
                            Issue.record("\(dividend) / \(divisor), \(decimals), \(mode): \(result)")
                        }
                    }
                }
            }
        }
    }

    /// quotient × divisor and dividend as whole numbers of one measure, and the divisor in it for one unit of
    /// the last digit.
    private struct Sides {
        let product: Natural
        let dividend: Natural
        let unit: Natural

        init(_ quotient: ExactNumber, scale: Int? = nil, dividend: ExactNumber, divisor: ExactNumber) {
            let scale = scale ?? quotient.scale
            let common = max(scale + divisor.scale, dividend.scale)
            let d = Natural(digits: divisor.description)
            product = (Natural(digits: quotient.description) * d).shifted(
                common - quotient.scale - divisor.scale)
            self.dividend = Natural(digits: dividend.description).shifted(common - dividend.scale)
            unit = d.shifted(common - scale - divisor.scale)
        }
    }

    /// Whether the quotient is within half a unit of its digit at `scale`, and even if exactly half away.
    private func checkNearest(
        _ quotient: ExactNumber, scale: Int, dividend: ExactNumber, divisor: ExactNumber
    ) throws {
        let sides = Sides(quotient, scale: scale, dividend: dividend, divisor: divisor)
        let twice = Natural(digits: "2")
        let (low, high) = (min(sides.product, sides.dividend), max(sides.product, sides.dividend))
        let isWithin = high * twice <= low * twice + sides.unit
        let isTie = high * twice == low * twice + sides.unit
        let isOdd = quotient.scale == scale && quotient.magnitude.low % 2 == 1
        if !isWithin || (isTie && isOdd) { Issue.record("\(dividend) / \(divisor): \(quotient)") }
    }

    private func wide(_ text: String) throws -> ExactNumber {
        let digits = try #require(UInt128(text.replacing(".", with: "")))
        let decimals = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
        return ExactNumber(magnitude: UInt256(digits), scale: decimals)
    }
}
