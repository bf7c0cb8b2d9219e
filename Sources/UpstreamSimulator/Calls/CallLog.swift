/// What was asked of the simulated upstream: totals, and the newest entries.
struct CallLog: Sendable {
    /// Entries kept; the oldest go first.
    ///
    /// Totals count on.
    static let capacity = 20_000

    private(set) var entries: [CallLogEntry] = []
    private(set) var counts = CallCounts()
    /// Number of this log's life, so that a call that began before a reset can't end in the new one.
    private var generation = 0

    /// Names a call from its beginning to its end.
    struct Ticket: Equatable, Sendable {
        let generation: Int
        let number: Int
    }

    mutating func begin(_ request: UpstreamRequest, at time: SimulatedTime, reading: Int64) -> Ticket {
        counts.calls += 1
        counts.byPath[request.path, default: 0] += 1
        counts.inFlight += 1
        counts.maxInFlight = max(counts.maxInFlight, counts.inFlight)
        if entries.count >= Self.capacity { entries.removeFirst(Self.capacity / 10) }
        entries.append(
            CallLogEntry(
                number: counts.calls, time: time.milliseconds, received: reading, method: request.method,
                target: request.target, status: 0, isAuthorized: false, concurrent: counts.inFlight,
                connection: request.connection))
        return Ticket(generation: generation, number: counts.calls)
    }

    /// Notes what the call will be answered with.
    mutating func plan(_ ticket: Ticket, _ answer: PlannedAnswer, isAuthorized: Bool) {
        guard ticket.generation == generation else { return }
        counts.byStatus[answer.status, default: 0] += 1
        guard let first = entries.first, ticket.number >= first.number else { return }
        let index = ticket.number - first.number
        entries[index].status = answer.status
        entries[index].isAuthorized = isAuthorized
        entries[index].delay = answer.delay.wholeMilliseconds
        entries[index].retryAfter = answer.retryAfter
    }

    /// The call's last byte is out, or its client has gone.
    mutating func end(_ ticket: Ticket) {
        guard ticket.generation == generation else { return }
        counts.inFlight -= 1
    }

    mutating func reset() {
        entries = []
        counts = CallCounts()
        generation += 1
    }
}
