import Testing

@testable import CacheLayer

@Suite("The rest of the month")
struct QuotaOutlookTests {
    /// 2026-03-01T00:00:00Z; March has 31 days.
    private let start = UnixMilliseconds(1_772_323_200_000)

    private func outlook(_ used: Int64, after elapsed: Duration, plan: Int64 = 10_000) -> QuotaOutlook {
        QuotaOutlook(used: used, plan: plan, permille: 950, at: start + elapsed)
    }

    @Test("the forecast is what has been used, as if the rest of the month were like it")
    func forecast() {
        #expect(outlook(0, after: .seconds(86_400)).forecast == 0)
        #expect(outlook(100, after: .seconds(86_400)).forecast == 3_100)
        #expect(outlook(5_000, after: .seconds(31 * 43_200)).forecast == 10_000)
        #expect(outlook(7, after: .seconds(31 * 86_400 - 1)).forecast == 7)
        // The first hour says nothing.
        #expect(outlook(3, after: .milliseconds(3_599_999)).forecast == nil)
        #expect(outlook(3, after: .seconds(3_600)).forecast == 2_232)
        // No product runs over.
        #expect(outlook(.max, after: .seconds(3_600), plan: .max).forecast == 744_000_000_000)
    }

    @Test("the pace spreads what is left, and is nothing where nothing is left")
    func pace() {
        #expect(outlook(0, after: .zero).pace == .milliseconds(281_937))
        #expect(outlook(9_999, after: .zero).pace == .milliseconds(2_819_368_422))
        #expect(outlook(10_000, after: .zero).pace == nil)
        #expect(outlook(10_001, after: .zero).pace == nil)
    }

    @Test("marks are reached at 80 and 90 percent, exactly")
    func marks() {
        #expect(outlook(7_999, after: .zero).reached == [])
        #expect(outlook(8_000, after: .zero).reached == [80])
        #expect(outlook(8_999, after: .zero).reached == [80])
        #expect(outlook(9_000, after: .zero).reached == [80, 90])
        #expect(outlook(12_000, after: .zero).reached == [80, 90])
    }

    @Test("each mark is news once a month")
    func news() {
        var marks = QuotaMarks()
        #expect(marks.news(month: "2026-03", reached: []) == [])
        #expect(marks.news(month: "2026-03", reached: [80]) == [80])
        #expect(marks.news(month: "2026-03", reached: [80]) == [])
        #expect(marks.news(month: "2026-03", reached: [80, 90]) == [90])
        // Below again, after a larger plan: not told twice.
        #expect(marks.news(month: "2026-03", reached: []) == [])
        #expect(marks.news(month: "2026-03", reached: [80]) == [])
        #expect(marks.news(month: "2026-04", reached: [80, 90]) == [80, 90])
    }

    @Test("P8: a key's mark shows nothing of it, and differs by key, fleet and upstream")
    func keyMark() {
        let mark = KeyMark(of: "FXKEY-TEST-123", salt: "{fxgw:a:host:443}:")
        #expect(mark.text.utf8.count == 8)
        #expect(mark.text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        #expect(mark == KeyMark(of: "FXKEY-TEST-123", salt: "{fxgw:a:host:443}:"))
        #expect(mark != KeyMark(of: "FXKEY-TEST-124", salt: "{fxgw:a:host:443}:"))
        #expect(mark != KeyMark(of: "FXKEY-TEST-123", salt: "{fxgw:b:host:443}:"))
        #expect(mark != .anonymous)
        // What ends the salt can't begin the key.
        #expect(KeyMark(of: "bc", salt: "a") != KeyMark(of: "c", salt: "ab"))
    }
}
