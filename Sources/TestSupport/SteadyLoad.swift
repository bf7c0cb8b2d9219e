import EventLoop
import Foundation
import Glibc

/// A bounded stream of requests to several gateways, each on a connection that is kept, on a thread of its own.
///
/// Safe from any thread; ends with `stop`.
package final class SteadyLoad: Sendable {
    /// One request and what came of it.
    package struct Sample: Sendable {
        /// The gateway's place in the list.
        package let gateway: Int
        /// When it was sent: Unix time in ms, and from the start of the load.
        package let wall: Int64
        package let at: Duration
        package let latency: Duration
        /// Nil if no answer came.
        package let reading: RateReading?

        package init(
            gateway: Int, wall: Int64, at: Duration, latency: Duration, reading: RateReading?
        ) {
            self.gateway = gateway
            self.wall = wall
            self.at = at
            self.latency = latency
            self.reading = reading
        }
    }

    private struct State {
        var samples: [Sample] = []
        var isStopped = false
        var hasEnded = false
    }

    private let state = Locked(State())
    private let ports: [UInt16]
    private let request: String
    private let pause: Duration
    private let start = ContinuousClock.now

    /// Begins at once: one request to each gateway, then the pause, and again.
    package init(
        _ gateways: [GatewayProcess], target: String = "/v1/latest/EUR?symbols=USD",
        every pause: Duration = .milliseconds(20)
    ) {
        ports = gateways.map(\.port)
        request = GatewayProcess.request("GET", target)
        self.pause = pause
        Thread.detachNewThread { self.run() }
    }

    /// What was seen so far.
    package var samples: [Sample] { state.withLock { $0.samples } }

    /// Asks every gateway once more, then ends it and tells all that was seen.
    ///
    /// So what holds when this is called is what the last samples show.
    package func stopAfterAnotherRound() async -> [Sample] {
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        _ = await eventually(within: .seconds(10)) {
            let late = state.withLock { $0.samples.suffix(2 * ports.count) }.filter { $0.wall > now }
            return Set(late.map(\.gateway)).count == ports.count
        }
        return await stop()
    }

    /// Ends it and tells all that was seen.
    package func stop() async -> [Sample] {
        state.withLock { $0.isStopped = true }
        _ = await eventually(within: .seconds(10)) { state.withLock { $0.hasEnded } }
        return samples
    }

    private func run() {
        var clients: [RawHTTPClient?] = ports.map { _ in nil }
        while !state.withLock({ $0.isStopped }) {
            for (index, port) in ports.enumerated() {
                let wall = Int64(Date().timeIntervalSince1970 * 1_000)
                let sent = ContinuousClock.now
                if clients[index] == nil { clients[index] = try? RawHTTPClient(port: port) }
                let answer = try? clients[index]?.exchange(request, within: .seconds(2))
                if answer == nil { clients[index] = nil }
                let sample = Sample(
                    gateway: index, wall: wall, at: sent - start, latency: .now - sent,
                    reading: answer.map(RateReading.init))
                state.withLock { $0.samples.append(sample) }
            }
            usleep(UInt32(pause / .microseconds(1)))
        }
        state.withLock { $0.hasEnded = true }
    }
}

extension [SteadyLoad.Sample] {
    /// The latency that so many percent of the answered requests kept.
    package func latency(percent: Int) -> Duration {
        let sorted = filter { $0.reading != nil }.map(\.latency).sorted()
        guard !sorted.isEmpty else { return .zero }
        return sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
    }
}
