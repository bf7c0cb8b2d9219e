import CacheLayer
import EventLoop

/// What happens in the month, and when.
extension MonthSimulation {
    /// So long after it has gone a server's successor is up, at most.
    private static let longestOutage: Int64 = 10_000
    /// So many milliseconds of writes a replica may lack.
    private static let longestLag: Int64 = 5_000
    /// An instance looks once in this time, and reconnects within it.
    private static let look: Int64 = 1_100

    /// Puts the first instances and what begins each hour and day on the agenda.
    func plan() {
        let start = settings.start
        for slot in 0..<settings.instances {
            add(.start(slot: slot), in: .milliseconds(within(30_000)))
            add(.request(slot: slot), in: .seconds(31) + .milliseconds(within(60_000)))
        }
        add(.hour, at: start + .seconds(60))
        add(.day, at: settings.month.start)
        // One FLUSHALL, anywhere but in the first and the last hour.
        let length = (settings.month.next.start - settings.month.start).milliseconds
        flush(at: settings.month.start + .milliseconds(3_600_000 + within(length - 7_200_000)))
    }

    func perform(_ event: MonthEvent, upstream: MonthUpstream) {
        switch event {
        case .request(let slot): request(slot)
        case .hour: hour()
        case .day: day()
        case .end(let slot, let isKilled): end(slot, isKilled: isKilled)
        case .arm(let isKilled): state.withLock { $0.armed.append(isKilled) }
        case .start(let slot): start(slot, upstream: upstream)
        case .replicaStops: state.withLock { $0.replica = store.copy() }
        case .failover: failOver()
        case .linkUp(let slot): linkUp(slot)
        case .flush: flush()
        case .look(let slot): state.withLock { $0.slots[slot] }?.link.look()
        }
    }

    // MARK: Load

    /// One request of a client, and when the next one comes: often by day, seldom at night.
    private func request(_ slot: Int) {
        let now = time.wall
        let hour = now.secondOfDay / 3_600
        let isDay = (7..<19).contains(hour)
        add(.request(slot: slot), in: .milliseconds(1_000 + within(isDay ? 240_000 : 1_800_000)))
        let number = within(10)
        // The pivot answers for all bases that have no table of their own.
        let base = number < 6 ? 0 : number < 9 ? min(1, settings.bases.count - 1) : settings.bases.count - 1
        // The last of several bases is a matter of working hours.
        if base > 1, !isDay { return }
        guard let instance = state.withLock({ $0.slots[slot] }) else { return }
        let resource = Resource.latest(base: settings.bases[base])
        guard let adopted = instance.view(of: resource).adopted else {
            note(resource, age: nil)
            instance.refresher.wants.add(resource, .cold)
            return
        }
        let freshness = settings.policy.freshness(
            of: nil, in: adopted.snapshot, age: adopted.age(at: time.source.now()))
        switch freshness {
        case .fresh: instance.refresher.wants.add(resource, .asked)
        case .late, .stale: instance.refresher.wants.add(resource, .stale)
        case .expired: instance.refresher.wants.add(resource, .cold)
        }
        note(resource, age: freshness == .expired ? nil : now - adopted.snapshot.table.dataTime.instant)
    }

    private func note(_ resource: Resource, age: Duration?) {
        state.withLock { [time] in $0.books.request(for: resource, age: age, at: time.wall) }
    }

    // MARK: Instances

    /// Each hour one instance is restarted: stopped or killed, one time in ten in mid-call.
    private func hour() {
        add(.hour, in: .seconds(3_600))
        let isKilled = within(2) == 0
        let wait = Duration.milliseconds(within(3_500_000))
        let slot = Int(within(Int64(settings.instances)))
        add(within(10) == 0 ? .arm(isKilled: isKilled) : .end(slot: slot, isKilled: isKilled), in: wait)
    }

    private func end(_ slot: Int, isKilled: Bool) {
        let ended = state.withLock { [time] state -> MonthInstance? in
            guard let instance = state.slots[slot] else { return nil }
            state.slots[slot] = nil
            if let open = state.open[slot], open.until > time.wall {
                state.books.lostLease(open.resource, at: time.wall)
                state.lostLeases += 1
            }
            if isKilled { state.kills += 1 } else { state.stops += 1 }
            return instance
        }
        guard let ended else { return }
        let task = Task { if isKilled { await ended.kill() } else { await ended.stop() } }
        state.withLock { $0.ending.append(task) }
        add(.start(slot: slot), in: .milliseconds(2_000 + within(60_000)))
    }

    private func start(_ slot: Int, upstream: MonthUpstream) {
        let numbers = numbers()
        let (number, isUp) = state.withLock { state in
            state.started += 1
            return (state.started, !state.isServerGone)
        }
        let instance = MonthInstance(
            "instance-\(number)", settings: settings, numbers: numbers,
            link: MonthLink(to: store, isUp: isUp), time: time.source, upstream: upstream, slot: slot)
        let running = Task { await instance.refresher.run() }
        state.withLock { state in
            state.slots[slot] = instance
            state.running.append(running)
        }
        if !isUp { add(.linkUp(slot: slot), in: .milliseconds(Self.longestOutage + within(Self.look))) }
    }

    // MARK: The store

    /// Each day the store's server fails once.
    private func day() {
        day(time.wall)
        add(.day, in: .seconds(86_400))
        guard time.wall < settings.month.next.start else { return }
        let instant = time.wall + .milliseconds(60_000 + within(86_400_000 - 120_000))
        looks(before: instant)
        add(.replicaStops, at: instant + .milliseconds(-within(Self.longestLag)))
        add(.failover, at: instant)
    }

    /// In life each instance has looked within the last second.
    private func looks(before instant: UnixMilliseconds) {
        for slot in 0..<settings.instances {
            add(.look(slot: slot), at: instant + .milliseconds(-within(Self.look)))
        }
    }

    private func failOver() {
        let now = time.wall
        let outage = 500 + within(Self.longestOutage - 500)
        let slots = state.withLock { state -> [MonthInstance?] in
            state.isServerGone = true
            state.failovers += 1
            state.books.storeLoss(at: now)
            if let replica = state.replica { store.rollBack(to: replica) }
            state.replica = nil
            return state.slots
        }
        for (slot, instance) in slots.enumerated() {
            instance?.link.drop()
            add(.linkUp(slot: slot), in: .milliseconds(outage + within(Self.look)))
        }
    }

    private func linkUp(_ slot: Int) {
        let instance = state.withLock { state in
            state.isServerGone = false
            return state.slots[slot]
        }
        instance?.link.comeUp()
    }

    private func flush(at instant: UnixMilliseconds) {
        looks(before: instant)
        add(.flush, at: instant)
    }

    private func flush() {
        store.flush()
        state.withLock { [time] state in
            state.flushes += 1
            state.books.storeLoss(at: time.wall)
        }
        for slot in 0..<settings.instances { add(.look(slot: slot), in: .milliseconds(within(Self.look))) }
    }

    // MARK: Chance and time

    private func add(_ event: MonthEvent, in wait: Duration) { add(event, at: time.wall + wait) }

    private func add(_ event: MonthEvent, at instant: UnixMilliseconds) {
        state.withLock { $0.agenda.add(event, at: instant) }
    }

    /// A number from zero to below `bound`.
    private func within(_ bound: Int64) -> Int64 {
        state.withLock { Int64.random(in: 0..<bound, using: &$0.numbers) }
    }
}
