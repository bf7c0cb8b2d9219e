import Testing

@testable import CacheLayer

@Suite("Exact numbers")
struct ExactNumberTests {
    private let most = ExactNumber(magnitude: UInt256(high: .max, low: .max), scale: 0)

    @Test("C023: 99999999999999999999.99 × 25.123456 is exact")
    func bigProduct() throws {
        let product = try exact("99999999999999999999.99").multiplied(by: exact("25.123456"))
        #expect(product.description == "2512345599999999999999.74876544")
    }

    @Test("a product of the widest amount and rate is exact, one beyond 77 digits is refused")
    func productBounds() throws {
        let nines = String(repeating: "9", count: 36)
        let factor = ExactNumber(magnitude: UInt256(PowersOfTen.power(36) - 1), scale: 36)
        let product = try factor.multiplied(by: factor)
        let expected =
            "0." + String(repeating: "9", count: 35) + "8" + String(repeating: "0", count: 35) + "1"
        #expect(product.description == expected)
        #expect(nines.count == 36)
        #expect(try most.multiplied(by: exact("1")) == most)
        #expect(try exact("1").multiplied(by: most) == most)
        #expect(throws: ExactNumberError.outOfRange) { try most.multiplied(by: exact("2")) }
        #expect(throws: ExactNumberError.outOfRange) { try most.multiplied(by: most) }
    }

    @Test(
        "a quotient has 18 significant digits, half-even, without closing zeros",
        arguments: [
            ("1", "3", "0.333333333333333333"), ("2", "3", "0.666666666666666667"), ("1", "8", "0.125"),
            ("10", "5", "2"), ("0", "7", "0"), ("1", "0.00025", "4000"),
            ("3", "7000000", "0.000000428571428571428571"),
            ("1000000000000000000000", "1", "1000000000000000000000"),
            ("1", "17385.5", "0.0000575191970320094331"),
            ("1", "0.000241", "4149.37759336099585"),
            // Ties at the nineteenth digit: to the even neighbour, and with a carry through all nines.
            ("1000000000000000005", "10", "100000000000000000"),
            ("1000000000000000015", "10", "100000000000000002"),
            ("9999999999999999995", "10000", "1000000000000000"),
            ("9999999999999999985", "10000", "999999999999999.998"),
            ("1000000000000000005", "1000", "1000000000000000"),
            ("1000000000000000015", "1000", "1000000000000000.02"),
        ])
    func quotients(dividend: String, divisor: String, quotient: String) throws {
        let result = try exact(dividend).divided(by: exact(divisor))
        #expect(result.description == quotient)
    }

    @Test("division refuses zero and what doesn't fit")
    func divisionErrors() throws {
        #expect(throws: ExactNumberError.dividedByZero) { try exact("1").divided(by: exact("0.00")) }
        #expect(throws: ExactNumberError.outOfRange) { try exact("1").divided(by: most) }
        let tiny = ExactNumber(magnitude: UInt256(1), scale: 60)
        let huge = ExactNumber(magnitude: UInt256(PowersOfTen.power(38)), scale: 0)
        #expect(throws: ExactNumberError.outOfRange) { try huge.divided(by: tiny) }
    }

    @Test(
        "each rounding mode has its way with ties, halves and what is near them",
        arguments: [
            // value, decimals, half_even, half_up, down, up
            ("0.125", 2, "0.12", "0.13", "0.12", "0.13"), ("0.135", 2, "0.14", "0.14", "0.13", "0.14"),
            ("1.005", 2, "1.00", "1.01", "1.00", "1.01"), ("2.5", 0, "2", "3", "2", "3"),
            ("3.5", 0, "4", "4", "3", "4"), ("0.5", 0, "0", "1", "0", "1"),
            ("1380.5", 0, "1380", "1381", "1380", "1381"),
            ("0.1250000000000000000000000001", 2, "0.13", "0.13", "0.12", "0.13"),
            ("0.1249999999999999999999999999", 2, "0.12", "0.12", "0.12", "0.13"),
            ("9.995", 2, "10.00", "10.00", "9.99", "10.00"), ("7", 3, "7.000", "7.000", "7.000", "7.000"),
            ("0", 2, "0.00", "0.00", "0.00", "0.00"), ("0.000000000001", 2, "0.00", "0.00", "0.00", "0.01"),
            ("0.12", 2, "0.12", "0.12", "0.12", "0.12"), ("0.120", 2, "0.12", "0.12", "0.12", "0.12"),
        ])
    func rounding(
        value: String, decimals: Int, halfEven: String, halfUp: String, down: String, up: String
    ) throws {
        let number = try exact(value)
        #expect(try number.rounded(decimals: decimals, .halfEven).description == halfEven)
        #expect(try number.rounded(decimals: decimals, .halfUp).description == halfUp)
        #expect(try number.rounded(decimals: decimals, .down).description == down)
        #expect(try number.rounded(decimals: decimals, .up).description == up)
    }

    @Test("rounding cuts more digits than a word holds, and refuses a result that doesn't fit")
    func wideRounding() throws {
        let tiny = ExactNumber(magnitude: UInt256(1), scale: 120)
        #expect(try tiny.rounded(decimals: 2, .up).description == "0.01")
        #expect(try tiny.rounded(decimals: 2, .halfUp).description == "0.00")
        #expect(throws: ExactNumberError.outOfRange) { try most.rounded(decimals: 1, .down) }
        #expect(try most.rounded(decimals: 0, .up) == most)
        let half = ExactNumber(magnitude: try #require(UInt256(5).multiplied(byTenTo: 59)), scale: 60)
        #expect(try half.rounded(decimals: 0, .halfEven) == .zero)
        #expect(try half.rounded(decimals: 0, .halfUp).description == "1")
    }

    @Test("numbers are equal, ordered and hashed by value, across all scales")
    func comparison() throws {
        #expect(try exact("1.10") == exact("1.1"))
        #expect(try exact("1.10").hashValue == exact("1.1").hashValue)
        #expect(try exact("0.00") == .zero)
        #expect(try exact("0.00").hashValue == ExactNumber.zero.hashValue)
        #expect(try exact("9.99") < exact("10"))
        #expect(try exact("10") > exact("9.99"))
        let tiny = ExactNumber(magnitude: UInt256(1), scale: 90)
        #expect(tiny < most)
        #expect(most > tiny)
        #expect(most != tiny)
        #expect(tiny > .zero)
    }

    @Test("the widest number prints all its digits")
    func printing() {
        #expect(
            most.description
                == "115792089237316195423570985008687907853269984665640564039457584007913129639935")
        #expect(
            ExactNumber(magnitude: UInt256(PowersOfTen.power(19)), scale: 19).description
                == "1.0000000000000000000")
        #expect(
            ExactNumber(magnitude: UInt256(PowersOfTen.power(38)), scale: 0).description == "1"
                + String(repeating: "0", count: 38))
    }
}
