import Testing

@testable import CacheLayer

@Suite("HTTP dates")
struct HTTPDateTests {
    private let now = UnixMilliseconds(1_773_151_200_000)

    @Test(
        "all three forms mean the same instant",
        arguments: [
            "Tue, 10 Mar 2026 14:02:00 GMT", "Tuesday, 10-Mar-26 14:02:00 GMT", "Tue Mar 10 14:02:00 2026",
            // The day of the week isn't compared with the date.
            "Sun, 10 Mar 2026 14:02:00 GMT",
        ])
    func forms(text: String) {
        #expect(HTTPDate.instant(of: text.utf8, now: now)?.value == 1_773_151_320_000)
    }

    @Test("a day below ten and a leap second are read")
    func edges() {
        #expect(HTTPDate.instant(of: "Sun Mar  1 00:00:00 2026".utf8, now: now)?.value == 1_772_323_200_000)
        #expect(
            HTTPDate.instant(of: "Sat, 31 Dec 2016 23:59:60 GMT".utf8, now: now)?.value == 1_483_228_800_000)
        #expect(
            HTTPDate.instant(of: "Sun, 06 Nov 1994 08:49:37 GMT".utf8, now: now)?.value == 784_111_777_000)
    }

    @Test(
        "a two-digit year is the one within fifty years",
        arguments: [("94", 1994), ("76", 2076), ("77", 1977), ("26", 2026), ("00", 2000), ("75", 2075)])
    func century(digits: String, year: Int) {
        #expect(
            HTTPDate.instant(of: "Friday, 10-Mar-\(digits) 00:00:00 GMT".utf8, now: now)?.date.year == year)
    }

    @Test("a two-digit year may also belong to the next century")
    func nextCentury() throws {
        let late = UnixMilliseconds(try #require(CivilDate(year: 2099, month: 12, day: 31)))
        #expect(HTTPDate.instant(of: "Friday, 01-Jan-00 00:00:00 GMT".utf8, now: late)?.date.year == 2100)
    }

    @Test(
        "everything else is refused",
        arguments: [
            "", "Tue, 10 Mar 2026 14:02:00", "Tue, 10 Mar 2026 14:02:00 UTC",
            "Tue, 10 Mar 2026 14:02:00 +0000",
            "tue, 10 mar 2026 14:02:00 gmt", "Tue, 10 Mar 26 14:02:00 GMT", "Tue,10 Mar 2026 14:02:00 GMT",
            "Tue, 1 Mar 2026 14:02:00 GMT", "Tue, 10  Mar 2026 14:02:00 GMT", "Tue, 30 Feb 2026 14:02:00 GMT",
            "Tue, 10 Mar 2026 24:00:00 GMT", "Tue, 10 Mar 2026 14:60:00 GMT", "Tue, 10 Mar 2026 14:02:61 GMT",
            "Tue, 10 Mar 2026 14:02:00 GMT ", " Tue, 10 Mar 2026 14:02:00 GMT",
            "Xyz, 10 Mar 2026 14:02:00 GMT",
            "Tuesday, 10-Mar-2026 14:02:00 GMT", "Tue, 10-Mar-26 14:02:00 GMT",
            "Tue Mar 10 14:02:00 2026 GMT",
            "Tue Mar 1 14:02:00 2026", "Tue, 10 M\u{e4}r 2026 14:02:00 GMT", "Tue, 10 Mar 2026 14:02 GMT",
            "2026-03-10T14:02:00Z", "1773151320", "Tue, 00 Mar 2026 14:02:00 GMT",
        ])
    func refused(text: String) {
        #expect(HTTPDate.instant(of: text.utf8, now: now) == nil)
    }
}
