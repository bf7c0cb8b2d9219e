import Foundation
import Testing

@testable import ExchangeRateClient

@Suite("Times of bodies")
struct WireTimeTests {
    static let readable: [(String, Double)] = [
        (#""2026-03-10T14:00:00Z""#, 1_773_151_200), (#""2026-03-10t14:00:00z""#, 1_773_151_200),
        (#""2026-03-10T23:00:00+09:00""#, 1_773_151_200), (#""2026-03-10T09:30:00-04:30""#, 1_773_151_200),
        (#""2026-03-10T14:00:00.25Z""#, 1_773_151_200.25),
        (#""2026-03-10T14:00:00.000001999Z""#, 1_773_151_200.000001),
        (#""2026-03-10""#, 1_773_100_800), ("1773151200", 1_773_151_200), ("1773151200500", 1_773_151_200.5),
        ("0", 0), (#""1999-01-04T15:00:00Z""#, 915_462_000), (#""1969-12-31T23:59:59Z""#, -1),
        (#""2024-02-29T00:00:00Z""#, 1_709_164_800), (#""2000-02-29T12:00:00Z""#, 951_825_600),
    ]

    @Test("RFC 3339, a bare day and Unix numbers are read", arguments: readable)
    func reads(json: String, seconds: Double) throws {
        let time = try JSONDecoder().decode(WireTime.self, from: Data(json.utf8))
        #expect(abs(time.date.timeIntervalSince1970 - seconds) < 0.000_000_5)
    }

    @Test(
        "everything else is refused, a time without zone above all",
        arguments: [
            #""2026-03-10T14:00:00""#, #""2026-03-10T14:00:00 +09:00""#, #""2026-03-10T14:00:00Zjunk""#,
            #""2026-03-10T14:00:00Z ""#, #""2026-02-30T00:00:00Z""#, #""2025-02-29T00:00:00Z""#,
            #""1900-02-29T00:00:00Z""#, #""2026-13-01T00:00:00Z""#, #""2026-00-01""#, #""2026-01-00""#,
            #""2026-03-10 14:00:00Z""#, #""2026-03-10T24:00:00Z""#, #""2026-03-10T14:60:00Z""#,
            #""2026-03-10T14:00:60Z""#, #""2026-03-10T14:00:00.Z""#, #""2026-03-10T14:00Z""#,
            #""2026-03-10T14:00:00+0900""#, #""2026-03-10T14:00:00+24:00""#, #""26-03-10T14:00:00Z""#,
            #""２０２６-03-10T14:00:00Z""#, #""""#, #""now""#, "-1", "1.5", "100000000000000", "true", "{}",
            "null",
        ])
    func refuses(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(WireTime.self, from: Data(json.utf8)) }
    }

    @Test("a time that was read is written so that it reads the same", arguments: readable)
    func roundTrip(json: String, seconds: Double) throws {
        let time = try JSONDecoder().decode(WireTime.self, from: Data(json.utf8))
        let again = try JSONDecoder().decode(WireTime.self, from: JSONEncoder().encode(time))
        #expect(again == time)
    }

    @Test("a time is written in UTC without needless zeros")
    func writes() throws {
        let text = { (seconds: Double) in
            String(
                decoding: try JSONEncoder().encode(WireTime(Date(timeIntervalSince1970: seconds))),
                as: UTF8.self)
        }
        #expect(try text(1_773_151_200.25) == #""2026-03-10T14:00:00.25Z""#)
        #expect(try text(-1) == #""1969-12-31T23:59:59Z""#)
        #expect(throws: EncodingError.self) { try text(1e15) }
    }

    @Test("every day of four centuries comes back from its number")
    func calendar() throws {
        var expected = CivilTime.daysSince1970(try #require(Day(year: 1900, month: 1, day: 1)))
        #expect(expected == -25_567)
        for year in 1900..<2300 {
            for month in 1...12 {
                for day in 1...CivilTime.days(inMonth: month, of: year) {
                    guard let date = Day(year: year, month: month, day: day),
                        CivilTime.daysSince1970(date) == expected,
                        CivilTime.day(daysSince1970: expected) == date
                    else {
                        Issue.record("\(year)-\(month)-\(day)")
                        return
                    }
                    expected += 1
                }
            }
        }
    }

    @Test("a day is read from ten characters, and only if it exists")
    func days() throws {
        #expect(Day("2026-03-10")?.description == "2026-03-10")
        #expect(Day("0999-12-31")?.description == "0999-12-31")
        for text in ["2026-3-10", "2026-03-10T", "2026-02-29", "2026/03/10", "", "0000-01-01", "+026-03-10"] {
            #expect(Day(text) == nil, "\(text)")
        }
        let earlier = try #require(Day("2025-12-31"))
        let later = try #require(Day("2026-01-01"))
        #expect(earlier < later)
    }
}
