import CacheLayer
import EventLoop
import Foundation
import UpstreamSimulator

/// A fleet under mixed load for a long time, with a refresh each second and a fault each minute.
package struct SoakRun {
    private let rig: ChaosRig
    private let loads: [SoakLoad]
    private let streams: SoakStreams
    private let start = ContinuousClock.now

    private static let gateways = 3
    private static let stretch = Duration.seconds(5)
    /// After a fault: so long its traces are looked for by the random runs, not here.
    private static let aftermath = Duration.seconds(12)

    /// Runs it and tells each sample as it comes.
    package static func run(
        seed: UInt64, minutes: Int, tell: (SoakSample) -> Void
    ) async throws -> [SoakSample] {
        let settings = ChaosSettings(seed: seed, gateways: gateways)
        // As short a lifetime as there is, and so few old bodies that their number stands still soon.
        let rig = try await ChaosRig.start(
            ChaosPlan(settings), isAsked: false,
            environment: [
                "FXGW_LIVE_TTL": "1s", "FXGW_BASES": "EUR", "FXGW_ARCHIVE_BYTES": "128KiB",
                "FXGW_LOG_LEVEL": "info",
            ])
        do {
            guard await rig.fleet.isWarm(within: .seconds(40)) else {
                throw ChaosProblem.notWarm(rig.fleet.report)
            }
            let run = SoakRun(rig)
            let samples = try await run.go(
                SoakPlan(seed: seed, minutes: minutes, gateways: gateways), .seconds(minutes * 60), tell)
            await run.stop()
            return samples
        } catch {
            await rig.stop()
            throw error
        }
    }

    private init(_ rig: ChaosRig) {
        self.rig = rig
        let gateways = rig.places.map(\.gateway)
        loads = gateways.map(SoakLoad.init)
        streams = SoakStreams(20, gateways)
    }

    private func go(
        _ plan: SoakPlan, _ length: Duration, _ tell: (SoakSample) -> Void
    ) async throws -> [SoakSample] {
        var samples: [SoakSample] = []
        var calls = rig.fleet.simulator.calls
        let latest = Locked<(name: String, until: ContinuousClock.Instant)?>(nil)
        try await withThrowingTaskGroup(of: Void.self) { [rig, start] group in
            group.addTask {
                for step in plan.steps where step.at < length {
                    try await Task.sleep(until: start + step.at)
                    let over = ContinuousClock.now + step.length + .seconds(600)
                    latest.withLock { $0 = (step.kind.rawValue, over) }
                    _ = try await rig.strike(step)
                    latest.withLock { $0?.until = .now + Self.aftermath }
                }
            }
            while .now - start < length {
                let fault = latest.withLock { $0 }
                try await Task.sleep(for: Self.stretch)
                // One that has begun meanwhile counts too.
                let now = latest.withLock { $0 }
                let name = [fault, now].compactMap(\.self).last { $0.until > .now - Self.stretch }?.name
                let sample = try sample(since: calls, fault: name)
                calls += sample.calls
                samples.append(sample)
                tell(sample)
            }
            group.cancelAll()
            while (try? await group.next()) != nil {}
        }
        return samples
    }

    private func sample(since calls: Int, fault: String?) throws -> SoakSample {
        let taken = loads.map { $0.take() }
        let latencies = taken.flatMap(\.latencies).sorted()
        func part(_ percent: Int) -> Duration {
            latencies.isEmpty ? .zero : latencies[min(latencies.count - 1, latencies.count * percent / 100)]
        }
        let memory = try? rig.fleet.redis.cli("INFO", "memory").firstMatch(of: #/used_memory:([0-9]+)/#)
        return SoakSample(
            at: .now - start, processes: rig.places.map { Self.process($0.gateway.process.identifier) },
            redisKeys: (try? rig.fleet.redis.cli("DBSIZE")).flatMap(Int.init) ?? 0,
            redisBytes: memory.flatMap { Int($0.output.1) } ?? 0, p50: part(50), p99: part(99),
            answers: latencies.count, wrong: taken.reduce(0) { $0 + $1.wrong },
            calls: rig.fleet.simulator.calls - calls, events: streams.take(), fault: fault)
    }

    private static func process(_ identifier: Int32) -> SoakSample.Process {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task").count
        return SoakSample.Process(
            residentBytes: ProcessMemory.residentBytes(of: identifier),
            descriptors: ProcessMemory.descriptors(of: identifier), threads: threads ?? 0)
    }

    private func stop() async {
        for load in loads { await load.stop() }
        await streams.stop()
        await rig.stop()
        rig.fleet.removeDirectory()
    }
}
