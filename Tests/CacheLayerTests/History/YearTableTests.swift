import Testing

@testable import CacheLayer

@Suite("A year of rows")
struct YearTableTests {
    private let table = YearSample.table(
        2015,
        [
            YearSample.entry("2014-12-31", ["EUR": "0.82366", "CHF": "0.99036"]),
            YearSample.entry("2015-01-01", ["EUR": "0.82366", "CHF": "0.99036"], filled: true),
            YearSample.entry("2015-01-02", ["EUR": "0.83022"]),
            YearSample.entry("2015-01-05", ["CHF": "1.0080", "IDR": "12602.0000"]),
        ])

    @Test("gives back every digit that went in, and no rate where there was none")
    func digits() throws {
        let texts = table.rows.map { row in
            table.table(of: row).symbols.map { "\($0.currency) \($0.rate)" }
        }
        #expect(
            texts == [
                ["CHF 0.99036", "EUR 0.82366"], ["CHF 0.99036", "EUR 0.82366"], ["EUR 0.83022"],
                ["CHF 1.0080", "IDR 12602.0000"],
            ])
        let last = try #require(table.rows.last)
        #expect(
            table.table(of: last, only: [.sample("AUD"), .sample("IDR"), .sample("ZAR")]).symbols
                .map(\.currency) == [.sample("IDR")])
        #expect(table.table(of: last, only: []).symbols.isEmpty)
    }

    @Test("a row's time is the publication of the day that its values are from")
    func times() {
        #expect(
            table.rows.map(\.dataTime.rfc3339) == [
                "2014-12-31T15:00:00Z", "2014-12-31T15:00:00Z", "2015-01-02T15:00:00Z",
                "2015-01-05T15:00:00Z",
            ])
        let summer = YearSample.table(2015, [YearSample.entry("2015-07-01", ["EUR": "0.9"])])
        #expect(summer.rows[0].dataTime.rfc3339 == "2015-07-01T14:00:00Z")
        let other = YearSample.table(
            2015, [YearSample.entry("2015-07-01", ["TWD": "31.2"], source: .fredDaily)])
        #expect(other.rows[0].dataTime.rfc3339 == "2015-07-01T00:00:00Z")
    }

    @Test(
        "a day is answered by the newest row that isn't after it",
        arguments: [
            ("2014-12-30", nil), ("2014-12-31", "2014-12-31"), ("2015-01-01", "2015-01-01"),
            ("2015-01-04", "2015-01-02"), ("2015-01-05", "2015-01-05"), ("2015-12-31", "2015-01-05"),
        ] as [(String, String?)])
    func lookUp(day: String, expected: String?) {
        #expect(table.row(onOrBefore: YearSample.day(day))?.date.text == expected)
    }

    @Test("a span has the rows within it, both ends included")
    func spans() {
        let rows = { (start: String, end: String) in
            table.rows(from: YearSample.day(start), through: YearSample.day(end)).map(\.date.day)
        }
        #expect(rows("2015-01-01", "2015-01-02") == [1, 2])
        #expect(rows("2015-01-03", "2015-01-04").isEmpty)
        #expect(rows("2015-01-05", "2016-01-01") == [5])
        #expect(rows("2015-01-05", "2015-01-04").isEmpty)
    }

    @Test("thirty currencies of a year take less than a hundred kilobytes")
    func size() {
        let rates = Dictionary(
            uniqueKeysWithValues: (0..<30).map { ("C\($0 + 10)", "1234.5678") })
        var entries: [YearTable.Entry] = []
        for day in YearSample.full(2024).rows {
            entries.append(YearSample.entry(day.date.text, rates))
        }
        let year = YearSample.table(2024, entries)
        #expect(year.rows.count > 262 && year.byteCount < 100_000)
    }

    @Test("is asked for from 24 December on, so that every day of it has a row to carry")
    func span() throws {
        let today = YearSample.day("2026-11-30")
        let past = try #require(YearSpan(year: 2015, held: nil, today: today))
        #expect((past.first.text, past.last.text) == ("2014-12-24", "2015-12-31"))
        let first = try #require(YearSpan(year: 1999, held: nil, today: today))
        #expect(first.first.text == "1999-01-04")
        let present = try #require(YearSpan(year: 2026, held: nil, today: today))
        #expect((present.first.text, present.last.text) == ("2025-12-24", "2026-11-30"))
        #expect(YearSpan(year: 2028, held: nil, today: today) == nil)
        let half = YearSample.full(2015, through: "2015-06-30", isComplete: false)
        #expect(try #require(YearSpan(year: 2015, held: half, today: today)).first.text == "2015-07-01")
        let whole = YearSample.full(2015)
        #expect(try #require(YearSpan(year: 2015, held: whole, today: today)) == past)
    }
}
