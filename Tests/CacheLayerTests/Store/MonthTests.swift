import Foundation
import TestSupport
import Testing

@testable import CacheLayer

@Suite("A calendar month", .timeLimit(.minutes(3)))
struct MonthTests {
    /// Month edges of ordinary, leap and centurial years, and instants between them.
    private static let instants: [UnixMilliseconds] = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var instants: [UnixMilliseconds] = []
        for year in [
            1_970, 1_971, 1_972, 1_999, 2_000, 2_001, 2_023, 2_024, 2_025, 2_026, 2_027, 2_028, 2_100, 2_400,
        ] {
            for month in 1...12 {
                guard let date = calendar.date(from: DateComponents(year: year, month: month, day: 1)) else {
                    continue
                }
                let start = Int64(date.timeIntervalSince1970) * 1_000
                for offset in [-5_001, -5_000, -1, 0, 1, 5_000, 5_001, 86_400_000] as [Int64]
                where start + offset >= 0 {
                    instants.append(UnixMilliseconds(start + offset))
                }
            }
        }
        var numbers = SeededNumbers(seed: 29)
        for _ in 0..<500 {
            instants.append(UnixMilliseconds(.random(in: 0...4_102_444_800_000, using: &numbers)))
        }
        return instants
    }()

    @Test("is the one that Foundation's calendar says, with its bounds (C4)")
    func againstCalendar() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for instant in Self.instants {
            let month = Month(containing: instant)
            let seconds = instant.value >= 0 ? instant.value / 1_000 : (instant.value - 999) / 1_000
            let parts = calendar.dateComponents(
                [.year, .month], from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            let expected = String(format: "%04d-%02d", parts.year ?? 0, parts.month ?? 0)
            #expect(month.description == expected)
            #expect(month.start <= instant && instant < month.next.start)
            #expect(Month(text: month.description) == month)
        }
    }

    @Test(
        "has an edge of five seconds on either side, both bounds in it",
        arguments: [
            (-5_001, nil), (-5_000, 5_001), (-1, 5_001), (0, 5_001), (5_000, 5_001), (5_001, nil),
        ] as [(Int64, Int64?)])
    func edge(offset: Int64, leave: Int64?) {
        let start = Month(containing: StoreBench.noon).next.start
        let edge = MonthEdge(at: start + .milliseconds(offset))
        #expect(edge.leave == leave.map { start + .milliseconds($0) })
    }

    @Test(
        "is read from exactly seven characters",
        arguments: [
            "2026-13", "2026-00", "2026-1", "26-01", "2026_01", "2026-011", "", "+026-01", "２０26-01",
        ])
    func refused(text: String) {
        #expect(Month(text: text) == nil)
    }
}
