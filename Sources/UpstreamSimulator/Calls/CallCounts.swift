/// Totals over all `/v1` requests since the start or the last reset.
package struct CallCounts: Equatable, Sendable {
    /// Every request received, refused and unanswered ones included.
    ///
    /// Equals the sum of `byPath` and the sum of `byStatus`.
    package internal(set) var calls = 0
    /// By path without its query.
    package internal(set) var byPath: [String: Int] = [:]
    /// By planned status; 0 where none was ever to be sent.
    package internal(set) var byStatus: [Int: Int] = [:]
    package internal(set) var inFlight = 0
    package internal(set) var maxInFlight = 0

    var json: String {
        let paths = byPath.sorted { $0.key < $1.key }.map { ($0.key, String($0.value)) }
        let statuses = byStatus.sorted { $0.key < $1.key }.map { (String($0.key), String($0.value)) }
        return JSONText.object([
            ("calls", String(calls)), ("by_path", JSONText.object(paths)),
            ("by_status", JSONText.object(statuses)), ("in_flight", String(inFlight)),
            ("max_in_flight", String(maxInFlight)),
        ])
    }
}
