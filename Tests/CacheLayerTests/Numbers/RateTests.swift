import Testing

@testable import CacheLayer

@Suite("Rate")
struct RateTests {
    @Test(
        "C001, C003, C018: a number without an exponent keeps its text to the digit",
        arguments: [
            "0.691", "5.02", "0.1", "1.1172404971672576", "0.8523", "3.4", "149.985", "89550.123456",
            "1103560.757401", "0.00000910", "109890.1098", "24865231.5", "0.92450", "1.0", "100", "1380.5",
            "0.30000000000000004", "123456789012345678.123456789012345678", "0.000000000000000001",
            "999999999999999999.999999999999999999",
            "0.00000000000000000123456789012345678901234567890123456",
        ])
    func keepsText(text: String) throws {
        let rate = try Rate(json: text)
        #expect(rate.text == text)
        #expect(rate.exact.description == text)
    }

    @Test(
        "C021: a number with an exponent is written plainly",
        arguments: [
            ("3.2774e-05", "0.000032774"), ("3.8E-5", "0.000038"), ("3.5e-10", "0.00000000035"),
            ("9.1E-009", "0.0000000091"), ("9.1234567e-6", "0.0000091234567"), ("1e0", "1"),
            ("1.50e1", "15.0"),
            ("1.5e1", "15"), ("15E+2", "1500"), ("1e17", "100000000000000000"),
            ("1e-18", "0.000000000000000001"),
            ("100e-2", "1.00"), ("0.001e3", "1"), ("0.0010e2", "0.10"),
            ("0.00000000000000000000000001e30", "10000"), ("12e-0", "12"),
            ("1e0000000000000000000000000000000002", "100"),
        ])
    func plainText(token: String, text: String) throws {
        let rate = try Rate(json: token)
        #expect(rate.text == text)
        #expect(rate.exact.description == text)
        #expect(try Rate(json: text) == rate)
    }

    @Test(
        "C187: a token that isn't a JSON number is refused",
        arguments: [
            "", " ", "-", "+1", "01", "00", "-01", "1.", ".5", "5.e3", "1e", "1e+", "1e-", "1E", "e5",
            "1.5.2",
            "1e5.0", "1e5e5", "0x10", "1_000", "1,5", "1,500.50", "NaN", "nan", "Infinity", "-Infinity",
            "null", "true",
            "\"1.5\"", " 1", "1 ", "1\n", "1\u{0}", "\u{FF11}", "1\u{0665}", "--1", "1-", "1+1", "1d", "1f",
            "#1",
        ])
    func grammar(token: String) {
        #expect(throws: RateTextError.notANumber) { try Rate(json: token) }
    }

    @Test(
        "C019: zero, negative and extreme numbers are refused with their kind; the bounds are exact",
        arguments: [
            ("0", RateTextError.zero), ("0.0", .zero), ("-0", .zero), ("0e999999999999", .zero),
            ("0.000E-7", .zero),
            ("-1", .negative), ("-0.1e-5", .negative), ("-1e999", .negative),
            ("1234567890123456789012345678901234567", .tooManyDigits),
            ("1.000000000000000000000000000000000000", .tooManyDigits),
            ("0.1234567890123456789012345678901234567", .tooManyDigits),
            ("1e18", .outOfRange), ("1000000000000000000", .outOfRange), ("1e400", .outOfRange),
            ("1.7976931348623157e308", .outOfRange), ("0.9999e-18", .outOfRange), ("9e-19", .outOfRange),
            ("1e-99999999999999999999999999", .outOfRange), ("1e99999999999999999999999999", .outOfRange),
        ])
    func refused(token: String, error: RateTextError) {
        #expect(throws: error) { try Rate(json: token) }
    }

    @Test("a token of ten thousand digits is refused")
    func longTokens() {
        let digits = String(repeating: "1", count: 10_000)
        #expect(throws: RateTextError.tooManyDigits) { try Rate(json: digits) }
        #expect(throws: RateTextError.tooManyDigits) { try Rate(json: "0." + digits) }
        #expect(throws: RateTextError.outOfRange) {
            try Rate(json: "0." + String(repeating: "0", count: 10_000) + "1")
        }
        #expect(throws: RateTextError.zero) { try Rate(json: "0." + String(repeating: "0", count: 10_000)) }
        #expect(throws: RateTextError.notANumber) { try Rate(json: digits + "x") }
    }

    @Test("C004: rates are compared by value, without a double in between")
    func comparison() throws {
        #expect(try rate("0.30000000000000004") != rate("0.3"))
        #expect(try rate("0.3") < rate("0.30000000000000004"))
        #expect(try rate("1.10") == rate("1.1"))
        #expect(try rate("1.10").hashValue == rate("1.1").hashValue)
        #expect(try rate("100").hashValue == rate("1e2").hashValue)
        #expect(try rate("1.0") == .one)
        #expect(try rate("9") < rate("10"))
        #expect(try rate("0.9") < rate("1"))
        #expect(try rate("0.000000000000000001") < rate("999999999999999999"))
        #expect(try rate("999999999999999999") > rate("0.0000000000000000011111111111111111111111111"))
        #expect(try Set([rate("1.10"), rate("1.1"), rate("1.100")]).count == 1)
    }

    @Test("a computed value becomes a rate only if it is positive and fits")
    func computed() throws {
        #expect(Rate(.zero) == nil)
        #expect(try Rate(exact("0.50"))?.text == "0.50")
        let most = UInt256(UInt128(Int128.max))
        #expect(Rate(ExactNumber(magnitude: most, scale: 0))?.mantissa == .max)
        #expect(Rate(ExactNumber(magnitude: UInt256(UInt128(Int128.max) + 1), scale: 0)) == nil)
        #expect(Rate(ExactNumber(magnitude: UInt256(high: 1, low: 0), scale: 0)) == nil)
    }
}
