import EventLoop
import TestSupport

@testable import CacheLayer

/// A fleet on one store and one clock, both moved and damaged by the test.
final class RefreshBench: Sendable {
    static let usd = Resource.latest(base: .sample("USD"))
    static let eur = Resource.latest(base: .sample("EUR"))
    /// A Tuesday noon, far from the month's edges.
    static let noon = UnixMilliseconds(1_773_144_000_000)
    /// So large that the tier's own interval of a minute decides.
    static let plenty = QuotaPlan(monthly: 1_000_000, perMinute: 60)

    let time: ManualTime
    let store: InMemoryRateStore
    let upstream: ScriptedUpstream
    let plan: QuotaPlan
    private let marks = Locked(0)
    private let jump = Locked(Duration.zero)
    private let instances = Locked<[RefreshInstance]>([])
    private let running = Locked<[Task<Void, Never>]>([])

    private init(at wall: UnixMilliseconds, plan: QuotaPlan) {
        let time = ManualTime(wall: wall)
        self.time = time
        self.plan = plan
        store = InMemoryRateStore(archiveBytes: 1 << 20) { [jump] in time.wall + jump.withLock { $0 } }
        upstream = ScriptedUpstream(time: time)
    }

    static func with(
        at wall: UnixMilliseconds = noon, plan: QuotaPlan = plenty,
        _ body: (RefreshBench) async throws -> Void
    ) async rethrows {
        try await OneThread.run {
            let bench = RefreshBench(at: wall, plan: plan)
            try await body(bench)
            await bench.end()
        }
    }

    func instance(
        _ name: String = "a", hasAccount: Bool = false, yearBytes: Int = 16 << 20,
        grace: Duration = StoreTimings.grace,
        random: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
    ) -> RefreshInstance {
        let instance = RefreshInstance(
            name, on: self, hasAccount: hasAccount, yearBytes: yearBytes, grace: grace, random: random)
        instances.withLock { $0.append(instance) }
        return instance
    }

    /// An instance of a fleet whose control is open.
    func opened(
        _ name: String = "a", hasAccount: Bool = false, yearBytes: Int = 16 << 20,
        random: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
    ) async -> RefreshInstance {
        let instance = instance(name, hasAccount: hasAccount, yearBytes: yearBytes, random: random)
        await instance.turn()
        let rest =
            await instance.memory.shadow == nil
            ? Duration.zero
            : control { control in
                UnixMilliseconds(control?.opensAt ?? 0) - storeNow
            }
        if rest > .zero {
            time.advance(by: rest)
            await instance.turn()
        }
        return instance
    }

    /// An instance that has just fetched the pivot.
    func warm(_ name: String = "a") async -> RefreshInstance {
        let instance = await opened(name)
        await instance.want()
        await instance.dropAll()
        return instance
    }

    /// An instance that holds the pivot and runs by itself.
    func running(
        _ name: String = "a", yearBytes: Int = 16 << 20,
        random: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
    ) async -> RefreshInstance {
        let instance = await opened(name, yearBytes: yearBytes, random: random)
        await instance.want()
        run(instance)
        return instance
    }

    /// Lets an instance run by itself until the test's end.
    func run(_ instance: RefreshInstance) {
        let task = Task { await instance.refresher.run() }
        running.withLock { $0.append(task) }
    }

    /// Moves the clock on in steps, and lets all that wakes come to rest after each.
    func pass(_ length: Duration, step: Duration = .milliseconds(100)) async {
        let end = time.elapsed + length
        while time.elapsed < end {
            await calm()
            time.advance(by: min(step, end - time.elapsed))
        }
        await calm()
    }

    /// Lets what has been woken go on, as long as it needs no time.
    func calm() async { await OneThread.rest() }

    // MARK: The store

    var storeNow: UnixMilliseconds { time.wall + jump.withLock { $0 } }

    /// Sets the store's clock that much ahead of all others, or back.
    func jumpStoreClock(by length: Duration) { jump.withLock { $0 += length } }

    /// Sets the instances' wall clocks that much ahead, or back; the store's stays.
    func jumpWallClocks(by length: Duration) {
        time.jumpWall(by: length)
        jumpStoreClock(by: .zero - length)
    }

    /// What the control says.
    func control<T: Sendable>(_ read: (ControlRecord?) -> T) -> T {
        store.state.withLock { read($0.memory.control) }
    }

    /// What the resource's pace says.
    func pace(_ resource: Resource = usd) -> PaceRecord? { control { $0?.paces[resource] } }

    func change(_ body: (inout MemoryState) -> Void) { store.state.withLock { body(&$0.memory) } }

    /// Puts a pause of upstream calls into the control, met by a call that nobody here has made.
    func setCooldown(_ scope: CooldownScope, rest: Duration) {
        let end = storeNow + rest
        change { state in
            state.control?.cooldowns[scope] = CooldownRecord(
                end: end.value, token: Int64.max / 4, strikes: 1, reason: "test", since: 0, attempts: [],
                isTold: false)
        }
    }

    /// As after FLUSHALL.
    func flush() { change { $0 = MemoryState(archiveBytes: 1 << 20) } }

    /// Sends an event that stands for nothing: all before it have been sent.
    func mark() async -> StoreEvent {
        let number = marks.withLock { marks in
            marks += 1
            return marks
        }
        let mark = StoreEvent.slotFree(.year(base: .sample("USD"), year: 100_000 + number))
        store.fanOut.send(mark)
        return mark
    }

    static func isMark(_ event: StoreEvent) -> Bool {
        if case .slotFree(.year(_, let year)) = event { return year > 100_000 }
        return false
    }

    private func end() async {
        upstream.end()
        let running = running.withLock { $0 }
        for task in running { task.cancel() }
        for instance in instances.withLock({ $0 }) { instance.store.isAway(false) }
        for _ in 0..<50 {
            await calm()
            time.advance(by: .seconds(100_000))
        }
        for task in running { await task.value }
        for instance in instances.withLock({ $0 }) { await instance.refresher.stop() }
        time.advance(by: .seconds(100_000))
        // They hold the bench as it holds them.
        instances.withLock { $0 = [] }
    }
}
