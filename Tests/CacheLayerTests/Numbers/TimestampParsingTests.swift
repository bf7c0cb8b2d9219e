import Testing

@testable import CacheLayer

@Suite("Upstream's times")
struct TimestampParsingTests {
    @Test(
        "C065: dates with a zone, dates alone and fractions are understood, and kept as they came",
        arguments: [
            ("2026-03-10T14:00:00Z", 1_773_151_200_000), ("2026-03-10", 1_773_100_800_000),
            ("2026-03-10T14:00:00.5Z", 1_773_151_200_500),
            ("2026-03-10T14:00:00.123456789Z", 1_773_151_200_123),
            ("2026-03-10T14:00:00.000999Z", 1_773_151_200_000),
            ("2026-03-10T14:00:00.07Z", 1_773_151_200_070),
            ("2026-03-10T23:00:00+09:00", 1_773_151_200_000),
            ("2026-03-10T09:30:00-04:30", 1_773_151_200_000),
            ("2026-03-11T00:30:00+10:30", 1_773_151_200_000),
            ("2026-03-10T14:00:00-00:00", 1_773_151_200_000),
            ("2026-03-10t14:00:00z", 1_773_151_200_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("2017-01-01T08:59:60.7+09:00", 1_483_228_800_000), ("1970-01-01T00:00:00Z", 0),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ])
    func understood(text: String, milliseconds: Int64) throws {
        let time = try Timestamp(rfc3339: text)
        #expect(time.instant.value == milliseconds)
        #expect(time.text == text)
    }

    @Test(
        "C065: a time without a zone is refused, never taken for local",
        arguments: ["2026-03-10T14:00:00", "2026-03-10T14:00:00.5"])
    func noZone(text: String) {
        #expect(throws: TimestampError.noZone) { try Timestamp(rfc3339: text) }
    }

    @Test(
        "C067: junk, blanks and cut-off forms are refused",
        arguments: [
            "2026-03-10T14:00:00 +09:00", "2026-03-10T14:00:00Zjunk", "2026-03-10T14:00:00Z ",
            " 2026-03-10T14:00:00Z",
            "2026-03-10 14:00:00Z", "2026-03-10T14:00Z", "2026-03-10T14:00:00.Z", "2026-03-10T14:00:00,5Z",
            "2026-03-10T14:00:00.1234567890Z", "2026-03-10T14:00:00+0900", "2026-03-10T14:00:00+09",
            "2026-03-10T14:00:00+09:00Z", "2026-3-10", "20260310T140000Z", "2026-W11-2", "2026-069",
            "+2026-03-10",
            "-2026-03-10", "12026-03-10", "", "T", "2026-03-10T", "2026-03-10Z", "2026-03-10T1:00:00Z",
            "2026-03-10T14:00:00\u{2212}09:00", "2026-03-10T14:00:00Z\n", "\u{FF12}026-03-10", "1773151200",
            "null",
            "Tue, 10 Mar 2026 14:00:00 GMT", "2026-03-10T14:00:00Z" + String(repeating: "0", count: 10_000),
        ])
    func malformed(text: String) {
        #expect(throws: TimestampError.malformed) { try Timestamp(rfc3339: text) }
    }

    @Test(
        "C067: days and times that don't exist are refused",
        arguments: [
            "2026-02-30T00:00:00Z", "2026-02-29", "2026-13-01", "2026-00-10", "2026-03-00",
            "2026-03-10T24:00:00Z",
            "2026-03-10T14:60:00Z", "2026-03-10T14:00:61Z", "2026-03-10T14:00:60Z", "2026-03-10T23:59:60Z",
            "2026-03-10T14:00:00+24:00", "2026-03-10T14:00:00+09:60",
        ])
    func impossible(text: String) {
        #expect(throws: TimestampError.impossible) { try Timestamp(rfc3339: text) }
    }

    @Test(
        "C065: integers are seconds or milliseconds by their size, shown as a date",
        arguments: [
            ("1773151200", 1_773_151_200_000, "2026-03-10T14:00:00Z"),
            ("1773151200000", 1_773_151_200_000, "2026-03-10T14:00:00Z"),
            ("1773151200999", 1_773_151_200_999, "2026-03-10T14:00:00Z"),
            ("1", 1_000, "1970-01-01T00:00:01Z"),
            ("99999999999", 99_999_999_999_000, "5138-11-16T09:46:39Z"),
        ])
    func epoch(digits: String, milliseconds: Int64, text: String) throws {
        let time = try Timestamp(epoch: digits)
        #expect(time.instant.value == milliseconds)
        #expect(time.text == text)
    }

    @Test(
        "C065: other integers are refused",
        arguments: [
            "", "0", "-1", "+1773151200", "01773151200", "177315120000", "17731512000000", "1773151200.0",
            "1e9",
            " 1773151200", "1773151200 ", "99999999999999999999999", "null", "\u{0661}",
        ])
    func badEpoch(digits: String) {
        #expect(throws: TimestampError.malformed) { try Timestamp(epoch: digits) }
    }
}
