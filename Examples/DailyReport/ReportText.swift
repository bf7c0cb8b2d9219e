import ExchangeRateClient
import Foundation

/// How the report writes days, times and states.
enum ReportText {
    static func time(_ date: Date) -> String { date.formatted(.iso8601) }

    /// The day in UTC that a moment is in.
    static func day(of moment: Date) -> Day {
        guard let day = Day(String(time(moment).prefix(10))) else {
            preconditionFailure("a clock between the years 1 and 9999")
        }
        return day
    }

    static func state(_ freshness: Freshness) -> String {
        switch freshness {
        case .fresh, .settled: "fresh"
        case .stale: "stale"
        case .late: "late"
        case .pinned: "pinned"
        case .unstated: "unstated"
        }
    }
}
