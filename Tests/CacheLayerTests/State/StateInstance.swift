import EventLoop
import Foundation
import Telemetry
import TestSupport

@testable import CacheLayer

/// One process of a `StateBench`, from its start until it is stopped or killed.
final class StateInstance {
    let refresher: Refresher
    /// The way to the store that all share, or to its own memory.
    let store: ScriptedStore
    let keeper: StateKeeper?
    let time: ManualTime
    private let lines: Locked<[String]>
    private let made: Locked<[MadeCall]>

    init(_ name: String, on bench: StateBench, alone: Bool, perHour: Int64, hasFile: Bool) {
        time = bench.time
        let lines = Locked<[String]>([])
        self.lines = lines
        let made = Locked<[MadeCall]>([])
        self.made = made
        let logger = Logger(
            level: .debug, format: .text,
            sink: { line in lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } })
        let moment = bench.moments
        keeper =
            hasFile
            ? StateKeeper(
                directory: bench.directory.path, identity: StateSamples.identity, logger: logger,
                moment: moment) : nil
        let saved = keeper?.load()
        if alone {
            let memory = InMemoryRateStore(
                archiveBytes: 1 << 20, resuming: saved.map { ($0, bench.plan) }, clock: { moment().wall })
            keeper?.keepLedger(of: memory)
            store = ScriptedStore(memory)
        } else {
            store = ScriptedStore(bench.shared)
        }
        let source = bench.time.source
        refresher = Refresher(
            store: store,
            settings: RefreshSettings(
                holder: name, bases: [.sample("USD")], policy: TierPolicy(), plan: bench.plan,
                times: LeaseTimes(lease: .seconds(15), deadline: .seconds(10)),
                offlineCallsPerHour: perHour),
            time: TimeSource(now: source.now, wall: { moment().wall }, sleep: source.sleep),
            logger: logger, keeper: keeper, saved: saved, random: { _ in 0 }, tell: { _ in },
            made: { call in made.withLock { $0.append(call) } },
            fetch: { [upstream = bench.upstream] in await upstream.fetch($0) })
    }

    /// One look around; returns when all that it began has ended.
    func turn() async {
        await refresher.step()
        while let flight = await refresher.flights.values.first { _ = await flight.value }
    }

    func want(_ resource: Resource = StateBench.usd, _ demand: Demand = .cold) async {
        refresher.wants.add(resource, demand)
        await turn()
    }

    /// As SIGTERM does.
    func stop() async { await refresher.stop() }

    /// As `kill -9` does: what isn't on the disk is lost.
    func kill() async { await keeper?.close(within: .seconds(10)) }

    /// The calls that it says it has made.
    var madeCalls: [MadeCall] { made.withLock { $0 } }

    func logged(_ text: String) -> Int { lines.withLock { $0.count { $0.contains(text) } } }

    var memory: FleetMemory { get async { await refresher.memory } }
    var calls: OfflineCalls { get async { await refresher.offline.calls } }
    var shadow: Shadow? { get async { await refresher.memory.shadow } }

    func adopted(_ resource: Resource = StateBench.usd) async -> Adopted? {
        await refresher.states[resource]?.adopted
    }

    func held(_ resource: Resource = StateBench.usd) async -> RateSnapshot? {
        await adopted(resource)?.snapshot
    }

    func age(_ resource: Resource = StateBench.usd) async -> Duration? {
        await adopted(resource)?.age(at: time.source.now())
    }

    /// The state in which its base is shown.
    func freshness(_ resource: Resource = StateBench.usd) async -> Freshness? {
        guard let adopted = await adopted(resource) else { return nil }
        return TierPolicy().freshness(
            of: nil, in: adopted.snapshot, age: adopted.age(at: time.source.now()))
    }
}
