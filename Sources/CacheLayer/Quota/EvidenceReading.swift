/// Whether what upstream says of a month can be meant for the month of our ledger.
package enum EvidenceReading {
    /// Why evidence is left aside.
    package enum Ignored: String, Hashable, Sendable, CaseIterable {
        /// The window of `X-RateLimit-Remaining` can't be told: no reset, or one that fits none.
        case unknownWindow = "unknown_window"
        /// By upstream's clock it isn't this month, or so near to its edge that it may not be.
        case otherMonth = "other_month"
        /// The account's body isn't of the form that is known.
        case unreadable
    }

    /// Whether upstream's clock lies in the month of the store's, both away from the edges.
    package static func isSameMonth(_ upstream: UnixMilliseconds, as store: UnixMilliseconds) -> Bool {
        Month(containing: upstream) == Month(containing: store)
            && MonthEdge(at: upstream) == .outside && MonthEdge(at: store) == .outside
    }

    /// What the fields of an answer say of the month; an answer that speaks of a minute or an hour says nothing.
    package static func read(
        _ answer: LimitAnswer, wall: UnixMilliseconds, store: UnixMilliseconds
    ) -> Result {
        switch RemainingReading(answer, now: wall) {
        case nil, .minute, .hour: .evidence(.none)
        case .unknown: .ignored(.unknownWindow)
        case .month(let left):
            isSameMonth(answer.clock(now: wall), as: store)
                ? .evidence(UpstreamEvidence(left: left)) : .ignored(.otherMonth)
        }
    }

    package enum Result: Hashable, Sendable {
        case evidence(UpstreamEvidence)
        case ignored(Ignored)
    }
}
