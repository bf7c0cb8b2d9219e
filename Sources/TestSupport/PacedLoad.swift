import EventLoop
import Foundation
import Glibc

/// Requests to one gateway at a fixed rate, on a connection that is kept and a thread of its own.
///
/// Each request has a moment at which it is due, and its latency counts from there: an answer that comes late also
/// makes those late that were due meanwhile, as it would for clients that don't wait for each other. A load that
/// waits for one answer before it thinks of the next would see a stall of a quarter of a second as one slow request.
///
/// Safe from any thread; ends with `stop`.
package final class PacedLoad: Sendable {
    /// One request and what came of it.
    package struct Sample: Sendable {
        /// When it was due, from the start of the load.
        package let due: Duration
        /// From then to the whole answer.
        package let latency: Duration
        /// Nil if no answer came.
        package let reading: RateReading?
    }

    private struct State {
        var samples: [Sample] = []
        var isStopped = false
        var hasEnded = false
    }

    private let state = Locked(State())
    private let port: UInt16
    private let request: String
    private let interval: Duration
    private let start = ContinuousClock.now

    /// Begins at once: one request in every interval.
    package init(
        _ gateway: GatewayProcess, target: String = "/v1/latest/EUR?symbols=USD", every interval: Duration
    ) {
        port = gateway.port
        request = GatewayProcess.request("GET", target)
        self.interval = interval
        Thread.detachNewThread { self.run() }
    }

    /// The time since the start of the load, on the clock of its samples.
    package var elapsed: Duration { start.duration(to: .now) }

    /// What was due from one moment to another, both since the start of the load.
    package func samples(from: Duration, to: Duration) -> [Sample] {
        state.withLock { state in state.samples.filter { $0.due >= from && $0.due < to } }
    }

    /// Ends it and tells all that was seen.
    package func stop() async -> [Sample] {
        state.withLock { $0.isStopped = true }
        _ = await eventually(within: .seconds(10)) { state.withLock { $0.hasEnded } }
        return state.withLock { $0.samples }
    }

    private func run() {
        var client: RawHTTPClient?
        var due = start
        while !state.withLock({ $0.isStopped }) {
            let early = ContinuousClock.now.duration(to: due)
            if early > .zero { usleep(UInt32(early / .microseconds(1))) }
            if client == nil { client = try? RawHTTPClient(port: port) }
            let answer = try? client?.exchange(request, within: .seconds(2))
            let latency = due.duration(to: .now)
            if answer == nil { client = nil }
            let sample = Sample(
                due: start.duration(to: due), latency: latency, reading: answer.map(RateReading.init))
            state.withLock { $0.samples.append(sample) }
            due = due.advanced(by: interval)
        }
        state.withLock { $0.hasEnded = true }
    }
}

extension [PacedLoad.Sample] {
    /// The latency that so many percent of the requests kept; one without an answer counts as the longest.
    package func latency(percent: Int) -> Duration {
        let sorted = map { $0.reading == nil ? .seconds(2) : $0.latency }.sorted()
        guard !sorted.isEmpty else { return .zero }
        return sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
    }
}
