import Testing

@testable import CacheLayer

@Suite("Retry-After")
struct RetryAfterTests {
    /// 2026-03-10T14:00:00Z.
    private let now = UnixMilliseconds(1_773_151_200_000)

    @Test(
        "seconds of any length are read, the three forms of a date, and blanks around them",
        arguments: [
            ("120", 120), (" 120\t", 120), ("0", 0), ("000060", 60), ("99999999999", 99_999_999_999),
            ("9223372036854775807", 100_000_000_000), ("99999999999999999999999", 100_000_000_000),
            ("Tue, 10 Mar 2026 14:02:00 GMT", 120), ("Tuesday, 10-Mar-26 14:02:00 GMT", 120),
            ("Tue Mar 10 14:02:00 2026", 120), (" Tue, 10 Mar 2026 14:02:00 GMT ", 120),
            ("Tue, 10 Mar 2026 13:58:00 GMT", -120),
        ] as [(String, Int64)])
    func read(field: String, seconds: Int64) {
        #expect(RetryAfter(field, now: now)?.wait(from: now) == .seconds(seconds))
    }

    @Test(
        "of several the longest that can be read holds",
        arguments: [
            ("5, 120", 120), ("120,5", 120), ("-5, 30", 30), ("30, x", 30),
            ("10, Tue, 10 Mar 2026 14:02:00 GMT", 120),
            ("Tue, 10 Mar 2026 14:02:00 GMT, 300", 300),
            ("Tuesday, 10-Mar-26 14:02:00 GMT, Tue Mar 10 14:03:00 2026", 180),
            (",7,", 7), ("Tue, 30", 0),
        ] as [(String, Int64)])
    func joined(field: String, seconds: Int64) {
        let wait = RetryAfter(field, now: now)?.wait(from: now)
        #expect(wait == (field == "Tue, 30" ? nil : .seconds(seconds)))
    }

    @Test(
        "everything else is as good as missing",
        arguments: [
            "", " ", "-5", "-1", "+5", "1.5", "1e3", "5s", "0x10", "soon", ",", ",,", "Tue,",
            "Tue, 30 Feb 2026 14:02:00 GMT",
            "10 Mar 2026 14:02:00 GMT", "2026-03-10T14:02:00Z", "\u{661}\u{662}", "5 6",
        ])
    func unreadable(field: String) {
        #expect(RetryAfter(field, now: now) == nil)
    }
}
