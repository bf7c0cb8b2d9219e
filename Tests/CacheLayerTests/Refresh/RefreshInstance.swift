import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// One instance of a fleet in a test: its refresher, its way to the store, what it told its loops.
final class RefreshInstance: Sendable {
    let refresher: Refresher
    let store: ScriptedStore
    let time: ManualTime
    private let bench: RefreshBench
    private let events: AsyncStream<StoreEvent>
    private let told: Locked<[RefreshNews]>
    private let made: Locked<[MadeCall]>
    private let lines: Locked<[String]>
    private let slept: Locked<[Duration]>

    init(
        _ name: String, on bench: RefreshBench, hasAccount: Bool, yearBytes: Int,
        grace: Duration = StoreTimings.grace,
        random: @escaping @Sendable (Int64) -> Int64
    ) {
        self.bench = bench
        time = bench.time
        let store = ScriptedStore(bench.store)
        let told = Locked<[RefreshNews]>([])
        let made = Locked<[MadeCall]>([])
        self.made = made
        let lines = Locked<[String]>([])
        let slept = Locked<[Duration]>([])
        (self.store, self.told, self.lines, self.slept) = (store, told, lines, slept)
        events = bench.store.events()
        let source = bench.time.source
        let noting = TimeSource(now: source.now, wall: source.wall) { wait in
            slept.withLock { $0.append(wait) }
            try await source.sleep(wait)
        }
        let logger = Logger(
            level: .debug, format: .text,
            sink: { line in
                lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            })
        refresher = Refresher(
            store: store,
            settings: RefreshSettings(
                holder: name, bases: [.sample("USD"), .sample("EUR")], policy: TierPolicy(), plan: bench.plan,
                times: LeaseTimes(lease: .seconds(15), deadline: .seconds(10)), hasAccount: hasAccount,
                yearBytes: yearBytes, grace: grace),
            time: noting, logger: logger, random: random, tell: { news in told.withLock { $0.append(news) } },
            made: { call in made.withLock { $0.append(call) } },
            fetch: { [upstream = bench.upstream] in await upstream.fetch($0) })
    }

    // MARK: What is done

    /// One look around; returns when all flights that it began have landed.
    func turn() async {
        await refresher.step()
        await landed()
    }

    /// Lets clients want something and looks around.
    func want(_ resource: Resource = RefreshBench.usd, _ demand: Demand = .cold) async {
        refresher.wants.add(resource, demand)
        await turn()
    }

    /// Begins to look around; the flights go on by themselves.
    func begin(_ resource: Resource = RefreshBench.usd, _ demand: Demand = .cold) async {
        refresher.wants.add(resource, demand)
        await refresher.step()
    }

    /// Returns when no flight is under way.
    func landed() async {
        while let flight = await refresher.flights.values.first { _ = await flight.value }
    }

    /// Moves the clock on until no flight is under way, as far as sleeping ones need it.
    func landed(within limit: Duration, step: Duration = .milliseconds(50)) async {
        let flights = await Array(refresher.flights.values)
        let isDone = Locked(false)
        let waiting = Task {
            for flight in flights { _ = await flight.value }
            isDone.withLock { $0 = true }
        }
        let end = time.elapsed + limit
        while !isDone.withLock({ $0 }), time.elapsed < end {
            await bench.calm()
            if isDone.withLock({ $0 }) { break }
            time.advance(by: step)
        }
        #expect(isDone.withLock { $0 }, "still under way after \(limit)")
        if isDone.withLock({ $0 }) { await waiting.value }
    }

    /// Gives the instance the events that have come since the last time.
    func hearAll() async {
        let mark = await bench.mark()
        for await event in events {
            if event == mark { break }
            if !RefreshBench.isMark(event) { await refresher.hear(event) }
        }
        await landed()
    }

    /// The events that have come since the last time, unheard.
    func dropAll() async {
        let mark = await bench.mark()
        for await event in events where event == mark { break }
    }

    // MARK: What is seen

    var news: [RefreshNews] { told.withLock { $0 } }
    /// The calls that it says it has made.
    var calls: [MadeCall] { made.withLock { $0 } }
    func logged(_ text: String) -> Int { lines.withLock { $0.count { $0.contains(text) } } }
    /// All waits that were begun.
    var waits: [Duration] { slept.withLock { $0 } }

    func state(_ resource: Resource = RefreshBench.usd) async -> ResourceState {
        await refresher.states[resource] ?? ResourceState()
    }

    func held(_ resource: Resource = RefreshBench.usd) async -> RateSnapshot? {
        await state(resource).adopted?.snapshot
    }

    func condition(_ resource: Resource = RefreshBench.usd) async -> RefreshCondition {
        await state(resource).condition
    }

    var memory: FleetMemory { get async { await refresher.memory } }

    /// How long until the resource is asked for; nil if nobody wants it.
    func due(_ resource: Resource = RefreshBench.usd) async -> Duration? {
        let now = time.source.now()
        let due = await state(resource).due(at: now, settings: refresher.settings)
        return due.map { now.duration(to: $0) }
    }
}
