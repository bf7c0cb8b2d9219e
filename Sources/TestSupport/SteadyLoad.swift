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
        /// How long the same gateway took right after it for an answer that needs no rates; nil where that wasn't asked
        /// for, or no such answer came.
        package let idle: Duration?

        package init(
            gateway: Int, wall: Int64, at: Duration, latency: Duration, reading: RateReading?,
            idle: Duration? = nil
        ) {
            self.gateway = gateway
            self.wall = wall
            self.at = at
            self.latency = latency
            self.reading = reading
            self.idle = idle
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
    private let idleRequest: String?
    private let pause: Duration
    /// The place of the first gateway in a run that has more of them than this load.
    private let first: Int
    private let start = ContinuousClock.now

    /// Begins at once: one request to each gateway, then the pause, and again.
    ///
    /// With `measuresIdle` each is followed by one for `/healthz`: what the machine and the process take for an answer without
    /// rates. `first` is the place of the first gateway where a run has more loads than one.
    package init(
        _ gateways: [GatewayProcess], target: String = "/v1/latest/EUR?symbols=USD",
        every pause: Duration = .milliseconds(20), from first: Int = 0, measuresIdle: Bool = false
    ) {
        self.first = first
        idleRequest = measuresIdle ? GatewayProcess.request("GET", "/healthz") : nil
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
                let latency = ContinuousClock.now - sent
                if answer == nil { clients[index] = nil }
                let sample = Sample(
                    gateway: first + index, wall: wall, at: sent - start, latency: latency,
                    reading: answer.map(RateReading.init), idle: idle(&clients[index]))
                state.withLock { $0.samples.append(sample) }
            }
            usleep(UInt32(pause / .microseconds(1)))
        }
        state.withLock { $0.hasEnded = true }
    }

    private func idle(_ client: inout RawHTTPClient?) -> Duration? {
        guard let idleRequest, let asked = client else { return nil }
        let sent = ContinuousClock.now
        guard (try? asked.exchange(idleRequest, within: .seconds(2))) != nil else {
            client = nil
            return nil
        }
        return .now - sent
    }
}

extension SteadyLoad.Sample: CustomStringConvertible {
    /// Who was asked when, and the labels of what came.
    package var description: String {
        guard let reading else { return "gateway \(gateway) at \(wall): no answer after \(latency)" }
        let labels = [
            reading.source, reading.state, reading.reason, reading.snapshot,
            reading.dataTime.map { "data \($0)" },
            reading.fetchedAt.map { "fetched \($0)" }, reading.freshUntil.map { "fresh until \($0)" },
            reading.age.map { "age \($0)" },
        ]
        let text = labels.compactMap(\.self).joined(separator: " ")
        return "gateway \(gateway) at \(wall): \(reading.status) \(text) after \(latency)"
    }
}

extension [SteadyLoad.Sample] {
    /// The latency that so many percent of the answered requests kept.
    package func latency(percent: Int) -> Duration {
        Self.part(percent, of: filter { $0.reading != nil }.map(\.latency))
    }

    /// The time for an answer without rates that so many percent of those kept; zero where none was measured.
    package func idle(percent: Int) -> Duration { Self.part(percent, of: compactMap(\.idle)) }

    private static func part(_ percent: Int, of times: [Duration]) -> Duration {
        let sorted = times.sorted()
        guard !sorted.isEmpty else { return .zero }
        return sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
    }
}
