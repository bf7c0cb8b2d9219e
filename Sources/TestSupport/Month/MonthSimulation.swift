package import CacheLayer
import EventLoop

/// A fleet's calendar month by a clock that jumps from one event to the next.
///
/// The instances are the product's refreshers, the store is the product's in memory, upstream is the simulator without its
/// socket. It begins an hour before the month and ends an hour after it. All that is random comes from the seed. Runs on
/// `OneThread`; the types are safe from any thread.
package final class MonthSimulation: Sendable {
    struct State: Sendable {
        var agenda = MonthAgenda()
        var numbers: SeededNumbers
        var books: MonthBooks
        var slots: [MonthInstance?]
        var started = 0
        /// What the replica has got while the server is about to fail.
        var replica: StoreCopy?
        /// Whether the store's server is gone.
        var isServerGone = false
        /// How the next instance that calls is to end.
        var armed: [Bool] = []
        /// The call that is out, and when its answer comes, by instance.
        var open: [Int: (resource: Resource, until: UnixMilliseconds)] = [:]
        var failovers = 0
        var flushes = 0
        var stops = 0
        var kills = 0
        var lostLeases = 0
        /// The ends of processes that are under way.
        var ending: [Task<Void, Never>] = []
        var running: [Task<Void, Never>] = []
    }

    let settings: MonthSettings
    let time: ManualTime
    let store: InMemoryRateStore
    let state: Locked<State>
    private let progress: @Sendable (UnixMilliseconds) -> Void

    private init(_ settings: MonthSettings, progress: @escaping @Sendable (UnixMilliseconds) -> Void) {
        let time = ManualTime(wall: settings.start)
        (self.settings, self.time, self.progress) = (settings, time, progress)
        store = InMemoryRateStore(archiveBytes: 1 << 16) { time.wall }
        state = Locked(
            State(
                numbers: SeededNumbers(seed: settings.seed), books: MonthBooks(settings: settings),
                slots: Array(repeating: nil, count: settings.instances)))
    }

    /// Runs the month; `progress` is told each simulated day.
    @concurrent package static func run(
        _ settings: MonthSettings, progress: @escaping @Sendable (UnixMilliseconds) -> Void = { _ in }
    ) async -> MonthReport {
        await OneThread.run {
            let simulation = MonthSimulation(settings, progress: progress)
            return await simulation.run()
        }
    }

    private func run() async -> MonthReport {
        let upstream = MonthUpstream(settings: settings, time: time, numbers: numbers()) {
            [unowned self] call in note(call)
        }
        let events = Task { [store] in
            for await event in store.events() { self.passOn(event) }
        }
        plan()
        while time.wall < settings.end {
            await OneThread.rest()
            watch()
            let next = state.withLock { $0.agenda.next } ?? settings.end
            let wait = min(next, settings.end) - time.wall
            time.advance(by: max(.zero, min(wait, time.untilNextWaking ?? wait)))
            while let event = state.withLock({ [time] in $0.agenda.take(until: time.wall) }) {
                perform(event, upstream: upstream)
            }
        }
        await OneThread.rest()
        watch()
        state.withLock { [time] in $0.books.close(at: time.wall) }
        let report = report()
        await end()
        events.cancel()
        return report
    }

    /// A generator for one part of the simulation.
    func numbers() -> SeededNumbers {
        state.withLock { SeededNumbers(seed: $0.numbers.next()) }
    }

    private func watch() {
        let now = time.wall
        let ledger = store.ledger(at: now)
        state.withLock { $0.books.watch(ledger, at: now) }
    }

    private func passOn(_ event: StoreEvent) {
        switch event {
        case .linkUp, .linkDown: break
        case .published, .failed, .refused, .slotFree, .cooldown, .purged:
            for instance in state.withLock({ $0.slots }) { instance?.link.pass(event) }
        }
    }

    /// A call leaves; where an end in mid-call is due, it comes before the answer.
    private func note(_ call: MonthUpstream.Call) {
        let now = time.wall
        let ledger = store.ledger(at: now)
        state.withLock { state in
            state.books.call(call, ledger: ledger, at: now)
            state.open[call.slot] = (call.resource, now + call.latency)
            guard call.resource != .account, !state.armed.isEmpty else { return }
            let isKilled = state.armed.removeFirst()
            state.agenda.add(.end(slot: call.slot, isKilled: isKilled), at: now + call.latency / 2)
        }
    }

    func day(_ now: UnixMilliseconds) { progress(now) }

    private func report() -> MonthReport {
        state.withLock { state in
            MonthReport(
                plan: settings.plan, lifetime: settings.liveTTL, calls: state.books.calls,
                ledger: state.books.ledger, useful: state.books.useful, halves: state.books.halves,
                extraCalls: state.books.extraCalls, medianAge: state.books.ages.median,
                worstAge: state.books.ages.worst, longestPause: state.books.longestPause,
                answers: state.books.ages.answers, unserved: state.books.unserved, failovers: state.failovers,
                flushes: state.flushes, stops: state.stops, kills: state.kills, lostLeases: state.lostLeases,
                violations: state.books.violations)
        }
    }

    /// Ends all processes, so that no task is left behind.
    private func end() async {
        let isOver = Locked(false)
        let open = state.withLock { state in state.slots.compactMap(\.self) }
        let tasks = state.withLock { $0.ending + $0.running }
        let ending = Task {
            for instance in open { await instance.kill() }
            for task in tasks { await task.value }
            isOver.withLock { $0 = true }
        }
        await OneThread.rest()
        while !isOver.withLock({ $0 }) {
            guard let wait = time.untilNextWaking else {
                preconditionFailure("a process of the simulation never ends")
            }
            time.advance(by: wait)
            await OneThread.rest()
        }
        await ending.value
        await store.close()
    }
}
