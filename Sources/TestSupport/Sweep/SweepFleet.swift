import CacheLayer
import EventLoop
import UpstreamSimulator

/// A fleet of gateways at one point of a sweep: the product's refreshers and store by a clock that is moved.
///
/// Runs on `OneThread`, so that nothing depends on the machine; the type is safe from any thread.
package final class SweepFleet: Sendable {
    private let settings: SweepSettings
    private let month: MonthSettings
    private let time: ManualTime
    private let store: InMemoryRateStore
    private let upstream: MonthUpstream
    private let instances: [MonthInstance]

    private init(_ settings: SweepSettings) {
        let month = Self.month(settings)
        let time = ManualTime(wall: month.start)
        let store = InMemoryRateStore(archiveBytes: 1 << 16) { time.wall }
        let upstream = MonthUpstream(
            settings: month, time: time, numbers: SeededNumbers(seed: settings.seed), told: { _ in })
        (self.settings, self.month, self.time) = (settings, month, time)
        (self.store, self.upstream) = (store, upstream)
        instances = (0..<settings.instances).map { slot in
            MonthInstance(
                "instance-\(slot)", settings: month,
                numbers: SeededNumbers(seed: settings.seed + UInt64(slot)),
                link: MonthLink(to: store, isUp: true), time: time.source, upstream: upstream, slot: slot)
        }
    }

    /// What the point costs with gateways.
    @concurrent package static func run(_ settings: SweepSettings) async -> SweepResult {
        await OneThread.run { await SweepFleet(settings).run() }
    }

    /// The bytes of one answer of upstream.
    static func bodyBytes(_ settings: SweepSettings) -> Int {
        let time = ManualTime(wall: month(settings).start)
        var configuration = SimulatorConfiguration()
        configuration.mode = .live
        let upstream = InProcessUpstream(configuration: configuration) { time.wall.value }
        let answer = upstream.get("/v1/latest/EUR", key: MonthUpstream.key)
        defer { upstream.end(answer) }
        return answer.body.count
    }

    /// A plan that nothing here can use up: what a refresh costs is asked for, not how seldom it may be.
    private static func month(_ settings: SweepSettings) -> MonthSettings {
        guard let month = Month(text: "2026-03"), let euro = Currency("EUR") else {
            preconditionFailure("March has come and the euro is a currency")
        }
        var all = MonthSettings(
            seed: settings.seed, plan: 100_000_000, liveTTL: settings.lifetime, month: month, bases: [euro])
        all.instances = settings.instances
        all.perMinute = 6_000
        all.quietLook = .seconds(1)
        all.latency = settings.latency
        return all
    }

    private func run() async -> SweepResult {
        let events = Task { [store, instances] in
            for await event in store.events() { for instance in instances { instance.link.pass(event) } }
        }
        let running = instances.map { instance in Task { await instance.refresher.run() } }
        var crowd = SweepCrowd(settings)
        var result = SweepResult()
        var before = (calls: 0, work: StoreWork())
        for tick in 0..<(settings.warmUp + settings.ticks) {
            if tick == settings.warmUp {
                result = SweepResult()
                before = (upstream.counts.calls, work)
            }
            await OneThread.rest()
            for (instance, requests) in zip(instances, crowd.requests(at: tick)) where requests > 0 {
                ask(instance, requests, &result)
            }
            await pass(SweepSettings.tick)
        }
        result.upstreamCalls = upstream.counts.calls - before.calls
        result.scripts = work - before.work
        await end(running)
        events.cancel()
        return result
    }

    /// All that the instances have asked of the store.
    private var work: StoreWork { instances.reduce(StoreWork()) { $0 + $1.link.work } }

    /// Requests of one instant at one instance: they all find the same.
    private func ask(_ instance: MonthInstance, _ requests: Int, _ result: inout SweepResult) {
        result.requests += requests
        let adopted = instance.view(of: month.pivot).adopted
        let freshness = adopted.map {
            month.policy.freshness(of: nil, in: $0.snapshot, age: $0.age(at: time.source.now()))
        }
        for _ in 0..<requests {
            switch freshness {
            case .fresh: instance.refresher.wants.add(month.pivot, .asked)
            case .late, .stale: instance.refresher.wants.add(month.pivot, .stale)
            case .expired, nil:
                instance.refresher.wants.add(month.pivot, .cold)
                result.waited += 1
            }
        }
    }

    /// Lets time pass, and wakes whoever is to be woken at their own instants.
    private func pass(_ length: Duration) async {
        var rest = length
        while rest > .zero {
            await OneThread.rest()
            let step = min(rest, max(.milliseconds(1), time.untilNextWaking ?? rest))
            time.advance(by: step)
            rest -= step
        }
    }

    private func end(_ running: [Task<Void, Never>]) async {
        let isOver = Locked(false)
        let ending = Task { [instances] in
            for instance in instances { await instance.kill() }
            for task in running { await task.value }
            isOver.withLock { $0 = true }
        }
        await OneThread.rest()
        while !isOver.withLock({ $0 }) { await pass(.seconds(1)) }
        await ending.value
        await store.close()
    }
}
