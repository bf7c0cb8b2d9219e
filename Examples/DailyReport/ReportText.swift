import ExchangeRateClient
import Foundation

/// How the report writes times and states.
enum ReportText {
    static func time(_ date: Date) -> String { date.formatted(.iso8601) }

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
