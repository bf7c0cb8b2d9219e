import Foundation
import Testing

@testable import ExchangeRateClient

@Suite("Retry-After")
struct RetryDelayTests {
    static let cases: [(String, Duration?)] = [
        ("49", .seconds(49)), ("0", .seconds(1)), ("1", .seconds(1)), ("3600", .seconds(3_600)),
        ("1331869", .seconds(1_331_869)), ("2678400", .seconds(2_678_400)), ("2678401", .seconds(2_678_400)),
        ("99999999999", .seconds(2_678_400)), ("9223372036854775807", .seconds(2_678_400)),
        ("99999999999999999999999", .seconds(2_678_400)), ("-5", nil), ("-1", nil), ("", nil), (" 5", nil),
        ("+5", nil), ("1.5", nil), ("5, 6", nil), ("soon", nil), ("０", nil),
        ("Tue, 10 Mar 2026 14:02:00 GMT", .seconds(120)), ("Tue, 10 Mar 2026 14:00:00 GMT", .seconds(1)),
        ("Thu, 01 Jan 2015 00:00:00 GMT", .seconds(1)),
        ("Fri, 01 Jan 2100 00:00:00 GMT", .seconds(2_678_400)),
        ("Tue, 30 Feb 2026 14:02:00 GMT", nil), ("Tue, 10 Mar 2026 14:02:00 UTC", nil),
        ("Tue, 10 Mar 2026 25:02:00 GMT", nil), ("Tue, 10 Foo 2026 14:02:00 GMT", nil),
        ("Tuesday, 10-Mar-26 14:02:00 GMT", nil), ("Tue Mar 10 14:02:00 2026", nil),
    ]

    @Test(
        "seconds and the current date form are read and bounded; the rest counts as missing", arguments: cases
    )
    func reads(text: String, expected: Duration?) {
        let delay = RetryDelay.read(text, date: nil, now: Date(timeIntervalSince1970: 1_773_151_200))
        #expect(delay == expected)
    }

    @Test("a date is measured against the answer's own clock")
    func otherClock() {
        let delay = RetryDelay.read(
            "Tue, 10 Mar 2026 14:02:00 GMT", date: "Tue, 10 Mar 2026 13:59:00 GMT",
            now: Date(timeIntervalSince1970: 1_773_151_200))
        #expect(delay == .seconds(180))
    }

    @Test("no field, no wait")
    func missing() {
        #expect(RetryDelay.read(nil, date: nil, now: Date()) == nil)
    }
}
