import Testing

@testable import CacheLayer

@Suite("Amount")
struct AmountTests {
    @Test(
        "plain decimals are taken exactly, without zeros in front",
        arguments: [
            ("0", "0"), ("0.00", "0.00"), ("000", "0"), ("1", "1"), ("007", "7"), ("00.50", "0.50"),
            ("12.50", "12.50"),
            ("99999999999999999999.99", "99999999999999999999.99"),
            ("0.0286491037549200622", "0.0286491037549200622"),
            ("123456789012345678901234567890.123456", "123456789012345678901234567890.123456"),
            ("0.000000000000000000000000000000000001", "0.000000000000000000000000000000000001"),
        ])
    func plain(text: String, printed: String) throws {
        let amount = try Amount(parsing: text)
        #expect(amount.description == printed)
    }

    @Test(
        "C006, C008, C187: what isn't digits with at most one point between digits is refused, never cut and used",
        arguments: [
            "12abc", " 12", "12 ", "1_000", "0x10", "\u{FF11}\u{FF12}", "+5", "5.", ".5", "--1", "", ".",
            "..", "1..2",
            "1.2.3", "1e3", "1E3", "1,000", "1,500.50", "1.500,50", "1 500", "1,5", "1'000", "12\u{A0}",
            "1\u{665}", "1\u{66B}5", "NaN", "inf",
            "-", "-.5",
            "-5.", "- 5", "+", "1\n", "\t1", "1\u{0}", "0b1", "١٢", "½", "1/2", "1%",
        ])
    func notANumber(text: String) {
        #expect(reason(text) == .notANumber)
    }

    @Test(
        "C008: bytes that are no UTF-8 are refused",
        arguments: [[0x31, 0xD9], [0xE2, 0x80], [0xFF], [0x31, 0x80]])
    func invalidUTF8(bytes: [UInt8]) {
        let error = #expect(throws: AmountError.self) { try Amount(parsing: bytes) }
        #expect(error?.reason == .notANumber)
        #expect(error?.shown.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
    }

    @Test("a negative amount is refused as such", arguments: ["-5", "-0", "-0.01", "-12.50"])
    func negative(text: String) {
        #expect(reason(text) == .negative)
    }

    @Test("C023: sixty digits, ten thousand digits and one digit too many are refused")
    func tooLong() {
        let ones = { String(repeating: "1", count: $0) }
        #expect(reason(ones(60)) == .tooLong)
        #expect(reason(ones(10_000)) == .tooLong)
        #expect(reason("0." + ones(10_000)) == .tooLong)
        #expect(reason(ones(31)) == .tooLong)
        #expect(reason(ones(30)) == nil)
        #expect(reason(ones(30) + "." + ones(6)) == nil)
        #expect(reason(ones(30) + "." + ones(7)) == .tooLong)
        #expect(reason("0." + ones(36)) == nil)
        #expect(reason("0." + ones(37)) == .tooLong)
        #expect(reason("0." + String(repeating: "0", count: 36)) == nil)
        #expect(reason("0." + String(repeating: "0", count: 37)) == .tooLong)
        #expect(reason(String(repeating: "0", count: 90) + "1") == nil)
        #expect(reason(String(repeating: "0", count: 129)) == .tooLong)
        #expect(reason(String(repeating: "x", count: 10_000)) == .notANumber)
    }

    @Test("the refusal shows the text as at most 32 printable characters")
    func shown() {
        #expect(error("12abc")?.description == "amount \"12abc\" is not a plain decimal number such as 12.50")
        #expect(error("1\u{0}\r\n2é")?.shown == "1???2??")
        #expect(
            error(String(repeating: "7", count: 32) + "x")?.shown == String(repeating: "7", count: 29) + "..."
        )
        #expect(
            error(String(repeating: "7", count: 31) + "x")?.shown == String(repeating: "7", count: 31) + "x")
    }

    private func error(_ text: String) -> AmountError? {
        do throws(AmountError) {
            _ = try Amount(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    private func reason(_ text: String) -> AmountError.Reason? { error(text)?.reason }
}
