import Foundation
import TestSupport
import Testing

@testable import CacheLayer

/// Seeded random cases against Foundation's `Decimal`, within the 38 digits in which it is exact.
///
/// Quotients are judged by multiplying back: `Decimal` cuts its own after 38 digits.
@Suite("Numbers agree with Decimal")
struct NumberPropertyTests {
    private static let count = Samples.count(200_000)

    @Test("a rate's text and value survive parsing and printing")
    func rates() throws {
        var cases = NumberCases(seed: 11)
        for _ in 0..<Self.count {
            let text = cases.text(digits: 1...18, decimals: 0...18)
            let rate = try Rate(json: text)
            if rate.text != text || rate.exact.description != text { Issue.record("\(text) -> \(rate)") }
        }
    }

    @Test("a rate with an exponent is the value that Decimal reads")
    func exponents() throws {
        var cases = NumberCases(seed: 12)
        for _ in 0..<Self.count {
            let exponent = Int.random(in: -9...4, using: &cases)
            let token =
                cases.text(digits: 1...12, decimals: 0...8)
                + "\(Bool.random(using: &cases) ? "e" : "E")\(exponent)"
            let rate = try Rate(json: token)
            if rate.text.contains(where: { $0 == "e" || $0 == "E" }) { Issue.record("\(token) -> \(rate)") }
            if try decimal(rate.text) != decimal(token) { Issue.record("\(token) -> \(rate)") }
        }
    }

    @Test("an amount's text and value survive parsing and printing")
    func amounts() throws {
        var cases = NumberCases(seed: 13)
        for _ in 0..<Self.count {
            let text = cases.text(digits: 1...30, decimals: 0...20)
            let amount = try Amount(parsing: text)
            if amount.description != text { Issue.record("\(text) -> \(amount)") }
        }
    }

    @Test("products are exact")
    func products() throws {
        var cases = NumberCases(seed: 14)
        for _ in 0..<Self.count {
            let a = cases.text(digits: 1...19, decimals: 0...12)
            let b = cases.text(digits: 1...19, decimals: 0...12)
            let product = try exact(a).multiplied(by: exact(b))
            if try decimal(product.description) != decimal(a) * decimal(b) {
                Issue.record("\(a) \(b): \(product)")
            }
        }
    }

    @Test("comparison agrees with Decimal's")
    func comparison() throws {
        var cases = NumberCases(seed: 15)
        for _ in 0..<Self.count {
            let a = cases.text(digits: 1...6, decimals: 0...4)
            let b = cases.text(digits: 1...6, decimals: 0...4)
            let (x, y) = try (exact(a), exact(b))
            let (p, q) = try (decimal(a), decimal(b))
            if (x < y) != (p < q) || (x == y) != (p == q) { Issue.record("\(a) \(b)") }
            if x == y, x.hashValue != y.hashValue { Issue.record("\(a) \(b)") }
        }
    }

    @Test("inverses are the nearest number of 18 digits")
    func inverses() throws {
        var cases = NumberCases(seed: 16)
        let usd = try currency("USD")
        let eur = try currency("EUR")
        for _ in 0..<Self.count {
            let text = cases.text(digits: 1...12, decimals: 0...8)
            let pair = try PairQuote(eur, usd, in: table("USD", [("EUR", text)]))
            if try !isNearest(pair.rate.exact, one: decimal("1"), over: decimal(text)) {
                Issue.record("1 / \(text): \(pair.rate)")
            }
        }
    }

    @Test("crosses are the nearest number of 18 digits")
    func crosses() throws {
        var cases = NumberCases(seed: 17)
        let (eur, gbp) = try (currency("EUR"), currency("GBP"))
        for _ in 0..<Self.count {
            let a = cases.text(digits: 1...12, decimals: 0...6)
            let b = cases.text(digits: 1...12, decimals: 0...6)
            let pair = try PairQuote(eur, gbp, in: table("USD", [("EUR", a), ("GBP", b)]))
            if try !isNearest(pair.rate.exact, one: decimal(b), over: decimal(a)) {
                Issue.record("\(b) / \(a): \(pair.rate)")
            }
        }
    }

    @Test("conversions are rounded right from the exact quotient, in every mode")
    func conversions() throws {
        var cases = NumberCases(seed: 18)
        let codes = try [currency("USD"), currency("EUR"), currency("GBP")]
        for turn in 0..<Self.count {
            let text = cases.text(digits: 1...10, decimals: 0...4)
            let amount = try Amount(parsing: text)
            let rates = try table(
                "USD",
                [
                    ("EUR", cases.text(digits: 1...8, decimals: 0...6)),
                    ("GBP", cases.text(digits: 1...8, decimals: 0...6)),
                ])
            let pair = try PairQuote(codes[turn % 3], codes[turn / 3 % 3], in: rates)
            let units = turn % 5
            let numerator = try decimal(text) * decimal(pair.numerator.text)
            let denominator = try decimal(pair.denominator.text)
            for mode in RoundingMode.allCases {
                let result = try Conversion(of: amount, at: pair, minorUnits: units, rounding: mode)
                if try result.rounded.scale != units
                    || !isRounded(result.rounded, mode, numerator: numerator, denominator: denominator)
                {
                    Issue.record(
                        "\(text) × \(pair.numerator) / \(pair.denominator) \(mode): \(result.rounded)")
                }
                if mode == .down, !pair.derivation.isDerived,
                    try decimal(result.unrounded.description) != numerator
                {
                    Issue.record("\(text) × \(pair.numerator): \(result.unrounded)")
                }
            }
        }
    }

    /// Whether `quotient` is `one` / `over` to 18 significant digits, half-even.
    private func isNearest(_ quotient: ExactNumber, one: Decimal, over: Decimal) throws -> Bool {
        guard quotient.magnitude.digitCount <= 18, quotient == quotient.trimmed else { return false }
        // Half a unit of the eighteenth digit, without what closing zeros were cut.
        let scale = quotient.scale + 18 - quotient.magnitude.digitCount
        let unit = Decimal(sign: .plus, exponent: -scale, significand: 1)
        let back = try decimal(quotient.description) * over
        let twice = (back - one) * 2
        let distance = twice < 0 ? -twice : twice
        if distance == unit * over {
            return quotient.magnitude.digitCount < 18 || quotient.magnitude.low % 2 == 0
        }
        return distance < unit * over
    }

    private func isRounded(
        _ result: ExactNumber, _ mode: RoundingMode, numerator: Decimal, denominator: Decimal
    ) throws -> Bool {
        let unit = Decimal(sign: .plus, exponent: -result.scale, significand: 1) * denominator
        // How far the result lies above the exact value, in the same measure as the unit.
        let above = try decimal(result.description) * denominator - numerator
        return switch mode {
        case .down: above <= 0 && above > -unit
        case .up: above >= 0 && above < unit
        case .halfUp: above * 2 > -unit && above * 2 <= unit
        case .halfEven:
            above * 2 >= -unit && above * 2 <= unit
                && (result.magnitude.low % 2 == 0 || (above * 2 != unit && above * 2 != -unit))
        }
    }
}
