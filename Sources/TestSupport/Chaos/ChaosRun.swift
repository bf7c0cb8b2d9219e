import CacheLayer
import EventLoop
import Foundation
import UpstreamSimulator

/// Plays a plan on a fleet of real processes and records what came of it.
package struct ChaosRun {
    private let plan: ChaosPlan
    private let rig: ChaosRig
    private let watch: ChaosWatch
    private let tell: @Sendable (String) -> Void
    private let start = ChaosRig.now
    private var events: [ChaosEvent] = []
    private var storms: [Range<Int64>] = []
    private var firstUsed = 0

    /// Plays it; `tell` gets a line every few seconds.
    ///
    /// - Throws: where the fleet can't be started or doesn't work without any fault.
    package static func play(
        _ plan: ChaosPlan, program: [String] = [], tell: @escaping @Sendable (String) -> Void
    ) async throws -> ChaosRecord {
        try await awaitQuietDate()
        let rig = try await ChaosRig.start(plan, program: program)
        do {
            var run = ChaosRun(plan: plan, rig: rig, watch: ChaosWatch(rig.fleet), tell: tell)
            try await run.warm()
            for (number, storm) in plan.storms.enumerated() {
                try await run.brave(storm, number: number)
                try await run.calm()
            }
            let record = try await run.record()
            await rig.stop()
            return record
        } catch {
            await rig.stop()
            throw error
        }
    }

    private init(
        plan: ChaosPlan, rig: ChaosRig, watch: ChaosWatch, tell: @escaping @Sendable (String) -> Void
    ) {
        (self.plan, self.rig, self.watch, self.tell) = (plan, rig, watch, tell)
    }

    /// The fleet calls nobody at a month's end, and begins a new ledger: that is another test's matter.
    private static func awaitQuietDate() async throws {
        while true {
            let formatter = Date.ISO8601FormatStyle().year().month()
            let soon = Date(timeIntervalSinceNow: 180)
            let before = Date(timeIntervalSinceNow: -10)
            guard formatter.format(soon) != formatter.format(before) else { return }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Waits until all have rates and each base is in demand, and finds where the ledger began.
    private mutating func warm() async throws {
        guard await rig.fleet.isWarm(within: .seconds(40)) else {
            throw ChaosProblem.notWarm(rig.fleet.report)
        }
        for base in ["USD", "GBP"] {
            for place in rig.places { _ = try? await place.gateway.ask("GET", "/v1/latest/\(base)") }
        }
        // A reservation comes before its call: the least difference of several looks is the ledger's beginning.
        var differences: [Int] = []
        _ = await eventually(within: .seconds(10), step: .milliseconds(60)) {
            let calls = rig.fleet.simulator.calls
            if let used = try? rig.fleet.used() { differences.append(used - calls) }
            return differences.count >= 20
        }
        guard let least = differences.min() else { throw ChaosProblem.notWarm("no control") }
        firstUsed = least
        progress("warm, \(plan.settings.gateways) gateways, \(plan.cap) in flight")
    }

    /// All faults of a storm, each at its time.
    private mutating func brave(_ steps: [ChaosStep], number: Int) async throws {
        let from = ChaosRig.now
        let done = try await withThrowingTaskGroup(of: ChaosEvent?.self) { [rig] group in
            for step in steps {
                group.addTask {
                    try await Task.sleep(for: step.at)
                    return try await rig.strike(step)
                }
            }
            var done: [ChaosEvent] = []
            var told = ContinuousClock.now
            while let event = try await group.next() {
                if let event { done.append(event) }
                if .now - told > .seconds(3) {
                    progress(
                        "storm \(number + 1) of \(plan.storms.count), \(done.count) of \(steps.count) faults")
                    told = .now
                }
            }
            return done
        }
        events += done
        // A lost lease is over when it has run out.
        let over = done.map { event in
            let lease = event.step.kind.losesLease ? ChaosRig.lease.milliseconds : 0
            return max(event.time.upperBound, event.time.lowerBound + lease)
        }
        storms.append(from..<max(ChaosRig.now, over.max() ?? 0))
        progress("storm \(number + 1) is over, \(done.count) faults")
    }

    /// Until the fleet has had the time to be well again, and a moment longer.
    private func calm() async throws {
        let end = storms.last?.upperBound ?? ChaosRig.now
        var told = ContinuousClock.now
        var isOver = false
        while !isOver {
            try await Task.sleep(for: .milliseconds(200))
            let looks = watch.looks
            let pause = looks.compactMap(\.pauseEnd).max() ?? 0
            let until = max(end, pause) + recovery(looks).milliseconds + 1_500
            isOver = ChaosRig.now >= until
            if .now - told > .seconds(4) {
                progress("calm")
                told = .now
            }
        }
    }

    /// One interval as a slow-down has made it and what P6 allows after it.
    private func recovery(_ looks: [ChaosWatch.Look]) -> Duration {
        slowInterval(looks) + PromiseTerms(interval: ChaosRig.interval).recovery
    }

    private func slowInterval(_ looks: [ChaosWatch.Look]) -> Duration {
        ChaosRig.interval * (1 << (looks.map(\.slowLevel).max() ?? 0))
    }

    /// The same, but not slower than upstream's limits have made it: each doubles it once, three at the most.
    private func slowInterval(_ looks: [ChaosWatch.Look], _ calls: [PromiseCall]) -> Duration {
        min(slowInterval(looks), ChaosRig.interval * (1 << min(3, calls.count { $0.status == 429 })))
    }

    private func progress(_ text: String) {
        let counts = rig.fleet.simulator.counts
        let used = (watch.looks.last?.used).map { "\($0 - firstUsed)" } ?? "none"
        tell(
            "\((ChaosRig.now - start) / 1_000) s: \(text), calls \(counts.calls), ledger \(used), answers \(rig.samples.count)"
        )
    }

    // MARK: - What came of it

    private func record() async throws -> ChaosRecord {
        let samples = await rig.endLoads()
        let looks = await watch.stop()
        // The log is read first: the ledger may only be ahead of it.
        let calls = rig.fleet.simulator.log.map { PromiseCall($0) }
        let used = try rig.fleet.used() ?? 0
        let state = rig.state.withLock { ($0.ends, $0.asleep) }
        let terms = PromiseTerms(interval: ChaosRig.interval) {
            $0.cap = plan.cap
            $0.startSlack = ChaosRig.startSlack
            $0.failing = events.filter { $0.step.kind.failsCalls }.map {
                Self.widened($0.time, by: .seconds(3))
            }
            $0.losses = events.filter { $0.step.kind.losesLease }.map {
                Self.widened($0.time, by: ChaosRig.lease)
            }
            let slow = slowInterval(looks, calls)
            $0.slowInterval = slow
            $0.lifetime = slow + ChaosRig.upstreamTimeout
            $0.staleWindow = ChaosRig.staleWindow
            $0.faults = storms
            $0.away = storms.map { Self.widened($0, by: ChaosRig.interval + .seconds(5)) }
            $0.cooldowns = pauses(looks)
            $0.untold = ChaosMemory.untold(events)
            $0.forgotten = ChaosMemory.forgotten(events, places: plan.settings.gateways)
            $0.ends = state.0
            $0.asleep = state.1
        }
        var check = PromiseCheck(
            terms, answers: samples, calls: calls, ledger: firstUsed...max(firstUsed, used))
        check.digits = digits(samples)
        check.secrets = rig.secrets
        check.writings = try await writings()
        return ChaosRecord(
            plan: plan, start: start, events: events, storms: storms, check: check,
            ended: rig.places.filter { $0.gateway.process.status != nil }.map(\.gateway.name),
            report: rig.fleet.report)
    }

    private static func widened(_ time: Range<Int64>, by length: Duration) -> Range<Int64> {
        time.lowerBound..<time.upperBound + length.milliseconds
    }

    /// Upstream's pauses, from when all know of them, and as long as nothing has lost what only one may know.
    private func pauses(_ looks: [ChaosWatch.Look]) -> [Range<Int64>] {
        var pauses: [(seen: Int64, end: Int64)] = []
        for look in looks {
            guard let end = look.pauseEnd else { continue }
            if let last = pauses.last, look.wall <= last.end {
                pauses[pauses.count - 1].end = max(last.end, end)
            } else {
                pauses.append((look.wall, end))
            }
        }
        let lost = events.filter { $0.step.kind.losesData }.map(\.time.lowerBound)
        return pauses.compactMap { pause in
            let known = pause.seen + ChaosRig.startSlack.milliseconds
            // Looked at once a second, and told by that look.
            let isForgotten = lost.contains { (pause.seen - 500..<pause.seen + 2_000).contains($0) }
            return known < pause.end && !isForgotten ? known..<pause.end : nil
        }
    }

    /// What upstream has written at each data time that was shown: it's a pure function of the time.
    private func digits(_ samples: [SteadyLoad.Sample]) -> [String: String] {
        let oracle = ChaosOracle(rig.fleet.options.upstream)
        let times = Set(samples.compactMap { $0.reading?.status == 200 ? $0.reading?.dataTime : nil })
        return times.reduce(into: [:]) { $0[$1] = oracle.digits(at: $1) }
    }

    /// Logs, metrics, status pages and all values of Redis.
    private func writings() async throws -> [(place: String, text: String)] {
        var all = rig.fleet.gateways.map { ("the log of \($0.name)", $0.log) }
        for place in rig.places where place.gateway.process.status == nil {
            for target in ["/metrics", "/v1/status", "/v1/quota", "/v1/explain/EUR", "/readyz"] {
                guard let answer = try? await place.gateway.ask("GET", target) else { continue }
                all.append(("\(target) of \(place.gateway.name)", answer.text))
            }
        }
        let session = try rig.fleet.store.session()
        for key in try session.send(["KEYS", "*"]).split(separator: "\n").map(String.init) {
            let kind = try session.send(["TYPE", key])
            let text =
                switch kind {
                case "hash": try session.send(["HGETALL", key])
                case "zset": try session.send(["ZRANGE", key, "0", "-1"])
                default: try session.send(["GET", key])
                }
            all.append(("\(key) in Redis", key + text))
        }
        return all
    }
}
