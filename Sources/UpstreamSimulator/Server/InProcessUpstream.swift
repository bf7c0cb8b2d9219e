import EventLoop

/// The simulated upstream without a socket: the same plan, bodies and call log, asked by a function call.
///
/// Safe from any thread. Its clock is the caller's.
package final class InProcessUpstream: Sendable {
    /// What one request is answered with, decided when it comes in.
    package struct Answer: Sendable {
        package let status: Int
        package let body: [UInt8]
        fileprivate let headers: [(name: String, value: String)]
        fileprivate let ticket: CallLog.Ticket

        /// The last value of a field; nil if there is none of this name.
        package subscript(field name: String) -> String? {
            headers.last { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    private let core: SimulatorCore

    /// `milliseconds` is the time since 1970 at any moment; `configuration.listen` is of no use here.
    package init(configuration: SimulatorConfiguration, milliseconds: @escaping @Sendable () -> Int64) {
        core = SimulatorCore(configuration: configuration, reading: milliseconds)
    }

    /// Takes a GET with this key; `end` must follow when its answer has come, or its client has gone.
    package func get(_ target: String, key: String) -> Answer {
        var request = UpstreamRequest(target: target)
        request.authorization = "Bearer \(key)"
        return core.withState { [request] state, reading in
            let (ticket, planned) = state.receive(request, reading: reading)
            let date = WireAnswer.date(state.now(reading: reading))
            return Answer(
                status: planned.status, body: planned.body, headers: planned.headers + [("Date", date)],
                ticket: ticket)
        }
    }

    package func end(_ answer: Answer) { core.withState { state, _ in state.end(answer.ticket) } }

    /// All requests so far.
    package var counts: CallCounts { core.withState { state, _ in state.log.counts } }

    /// The calls of the present month that count against the key's plan.
    package func callsThisMonth(of key: String) -> Int {
        core.withState { state, reading in
            state.quota.callsThisMonth(of: .key(key), at: state.now(reading: reading))
        }
    }
}
