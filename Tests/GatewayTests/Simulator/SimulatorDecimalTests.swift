import Testing

@testable import UpstreamSimulator

@Suite("Simulator decimals")
struct SimulatorDecimalTests {
    @Test(
        "a quotient is rounded once, half to even, to the digits wanted",
        arguments: [
            ("1", "1.1172", "0.895095"), ("1", "20275.17", "4.93214e-05"), ("175.68", "1.1172", "157.25"),
            ("372274", "0.6668", "558299"), ("1", "3", "0.333333"), ("2", "3", "0.666667"),
            ("1", "8", "0.125"),
            ("1000001", "8", "125000"), ("1000007", "2", "500004"), ("1000005", "2", "500002"),
            ("0", "7", "0"),
            ("99999950", "100", "1000000"), ("5", "0.00002", "250000"), ("1", "10001", "9.999e-05"),
            ("1", "10000", "0.0001"),
        ])
    func divided(dividend: String, divisor: String, expected: String) throws {
        let left = try #require(FixedDecimal(parsing: dividend))
        let right = try #require(FixedDecimal(parsing: divisor))
        #expect(left.divided(by: right, significantDigits: 6).jsonText == expected)
    }

    @Test(
        "what is no plain decimal is refused",
        arguments: [
            "", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "1.2.3", "1234567890123456789", "１", " 1", "0x1",
        ]
    )
    func refused(text: String) { #expect(FixedDecimal(parsing: text) == nil) }

    @Test("amounts are rounded half to even to the minor unit")
    func rounded() throws {
        for (text, places, expected) in [
            ("2.345", 2, "2.34"), ("2.355", 2, "2.36"), ("0.5", 0, "0"), ("1.5", 0, "2"),
            ("85.137", 2, "85.14"),
            ("7", 2, "7"), ("007.10", 2, "7.10"),
        ] {
            let number = try #require(FixedDecimal(parsing: text))
            #expect(number.rounded(places: places).plainText == expected)
        }
    }
}
