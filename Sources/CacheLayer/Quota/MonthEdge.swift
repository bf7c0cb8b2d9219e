/// How an instant lies to the nearest 00:00 UTC on the 1st.
///
/// Upstream's midnight may differ from ours by a few seconds: near it nothing is granted, and what ends there counts in
/// both months. Both bounds belong to the edge.
package enum MonthEdge: Hashable, Sendable {
    /// At least one millisecond farther from the boundary than `StoreTimings.monthEdge`.
    case outside
    /// In the last seconds of a month; the first instant after the edge.
    case before(leave: UnixMilliseconds)
    /// In the first seconds of a month, its first millisecond among them.
    case after(leave: UnixMilliseconds)

    package init(at now: UnixMilliseconds) {
        let month = Month(containing: now)
        let width = StoreTimings.monthEdge
        if now - month.start <= width {
            self = .after(leave: month.start + width + .milliseconds(1))
        } else if month.next.start - now <= width {
            self = .before(leave: month.next.start + width + .milliseconds(1))
        } else {
            self = .outside
        }
    }

    /// The first instant outside; nil if the instant asked about was outside.
    package var leave: UnixMilliseconds? {
        switch self {
        case .outside: nil
        case .before(let leave), .after(let leave): leave
        }
    }
}
