import Testing

@testable import CacheLayer

@Suite("256-bit integers")
struct UInt256Tests {
    private static let edges: [UInt128] = {
        var edges: [UInt128] = [0, 1, 2, 3, 9, 10, 11, .max, .max - 1, .max / 2, .max / 2 + 1, .max / 3]
        for bit in [31, 32, 33, 63, 64, 65, 95, 96, 97, 126, 127] {
            edges += [UInt128(1) << bit - 1, UInt128(1) << bit, UInt128(1) << bit + 1]
        }
        edges += [18, 19, 20, 36, 37, 38].map { PowersOfTen.power($0) }
        return edges
    }()

    @Test("products of all pairs of edge words are exact")
    func products() {
        for a in Self.edges {
            for b in Self.edges {
                let product = UInt256(product: a, b)
                #expect(natural(product) == Natural(digits: String(a)) * Natural(digits: String(b)))
                #expect(UInt256(a).multiplied(by: b) == product)
            }
        }
    }

    @Test("quotient times divisor and remainder give the dividend back, for all triples of edge words")
    func quotients() {
        for high in Self.edges {
            for low in Self.edges {
                let dividend = UInt256(high: high, low: low)
                for divisor in Self.edges where divisor > 0 {
                    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
                    let back = quotient.multiplied(by: divisor)?.adding(UInt256(remainder))
                    if back != dividend || remainder >= divisor {
                        Issue.record("\(high) \(low) / \(divisor)")
                    }
                }
            }
        }
    }

    @Test("random divisions agree with schoolbook multiplication")
    func randomQuotients() {
        var cases = NumberCases(seed: 1)
        for _ in 0..<20_000 {
            let dividend = UInt256(
                high: UInt128.random(in: 0 ... .max, using: &cases) >> Int.random(in: 0..<128, using: &cases),
                low: .random(in: 0 ... .max, using: &cases))
            let divisor =
                max(
                    1, UInt128.random(in: 0 ... .max, using: &cases) >> Int.random(in: 0..<128, using: &cases)
                )
            let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
            let back =
                natural(quotient) * Natural(digits: String(divisor)) + Natural(digits: String(remainder))
            if back != natural(dividend) || remainder >= divisor { Issue.record("\(dividend) / \(divisor)") }
        }
    }

    @Test("what needs more than 256 bits is nil, one less is not")
    func overflow() {
        let most = UInt256(high: .max, low: .max)
        #expect(most.adding(UInt256(1)) == nil)
        #expect(most.adding(.zero) == most)
        #expect(most.multiplied(by: 2) == nil)
        #expect(most.multiplied(by: 1) == most)
        #expect(UInt256(high: .max / 2, low: .max).multiplied(by: 2) == UInt256(high: .max, low: .max - 1))
        #expect(UInt256(high: .max / 2 + 1, low: 0).multiplied(by: 2) == nil)
        #expect(UInt256(1).multiplied(byTenTo: 77)?.digitCount == 78)
        #expect(UInt256(1).multiplied(byTenTo: 78) == nil)
        #expect(UInt256.zero.multiplied(byTenTo: 1_000) == .zero)
    }

    @Test("digits are counted right on both sides of every power of ten")
    func digitCounts() throws {
        #expect(UInt256.zero.digitCount == 0)
        for exponent in 0...77 {
            let power = try #require(UInt256(1).multiplied(byTenTo: exponent))
            #expect(power.digitCount == exponent + 1)
            if let word = power.word { #expect(PowersOfTen.digitCount(of: word - 1) == exponent) }
        }
        #expect(PowersOfTen.digitCount(of: .max) == 39)
    }

    private func natural(_ value: UInt256) -> Natural {
        let word = Natural(digits: String(UInt128.max)) + Natural(digits: "1")
        return Natural(digits: String(value.high)) * word + Natural(digits: String(value.low))
    }
}
