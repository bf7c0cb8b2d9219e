import Telemetry

/// The state file: what is taken over from it at the start, and when it is written.
extension Refresher {
    /// At most one write in this time, but for those that a call has to wait for.
    static let saveDistance = Duration.seconds(5)
    /// A file that could not be written is tried again after this.
    static let saveRetry = Duration.seconds(60)
    /// A file older than this is written anew, so that the ledger in it stays of use.
    static let oldestFile = Duration.seconds(300)
    /// How long a write is waited for.
    static let longestSave = Duration.seconds(1)

    /// Takes over what the state file says; once, before the store is asked.
    ///
    /// What the store has is compared afterwards, like everything else.
    func resume() {
        guard let keeper, let saved else { return }
        self.saved = nil
        let now = time.now()
        let elapsed = keeper.now().elapsed(since: saved.written)
        offline.calls = OfflineCalls(saved.offline, elapsed: elapsed ?? .zero, now: now)
        memory = FleetMemory(
            saved, own: keeper.keepsLedger ? saved.control : nil, elapsed: elapsed, now: now)
        var count = 0
        for held in saved.snapshots where adopt(held, elapsed: elapsed, at: now) { count += 1 }
        logger.log(
            .info, "took over the state file",
            [.count: String(count), .seconds: elapsed.map { String($0.milliseconds / 1_000) } ?? "unknown"])
    }

    /// There is something that the state file should have: it is written soon, together with what else comes.
    func noteNews() {
        guard keeper != nil else { return }
        let soon = time.now().advanced(by: Self.saveDistance)
        if saveDue.map({ $0 > soon }) ?? true { saveDue = soon }
    }

    /// Writes the state file if it is time, and goes on meanwhile.
    func saveIfDue() {
        guard let saveDue, saveDue <= time.now(), !isSaving, !isStopping else { return }
        // Loose, so that a slow disk holds nothing up; its waiting is bounded.
        Task { await self.save() }
    }

    /// Writes the state file now.
    ///
    /// - Returns: whether what is known now is on the disk.
    @discardableResult
    func save() async -> Bool {
        guard let keeper else { return false }
        // What comes from here on isn't in it.
        saveDue = nil
        isSaving = true
        let isWritten = await keeper.save(state(in: keeper), within: Self.longestSave)
        isSaving = false
        let next = time.now().advanced(by: isWritten ? Self.oldestFile : Self.saveRetry)
        saveDue = min(saveDue ?? next, next)
        return isWritten
    }

    private func state(in keeper: StateKeeper) -> SavedState {
        let now = time.now()
        let written = keeper.now()
        return SavedState(
            instance: offline.witness, written: written, floor: memory.floor,
            ledger: memory.savedLedger(at: now, by: settings.holder),
            cooldowns: memory.cooldowns(at: now).map { cooldown in
                SavedState.Cooldown(
                    scope: cooldown.scope, end: written.wall + cooldown.rest, strikes: cooldown.strikes,
                    reason: cooldown.reason, keys: cooldown.keys)
            },
            offline: offline.calls.saved(at: now),
            snapshots: states.values.compactMap { state in
                guard let adopted = state.adopted, let stored = state.stored(at: now) else { return nil }
                return SavedState.Held(
                    stored: stored.kept(for: .milliseconds(1)), age: adopted.age(at: now))
            })
    }

    /// Takes a snapshot over with the age that it has by now, unless its time is over or it can't be read.
    ///
    /// Where it isn't known how long the file has lain, nothing in it is fresh any more: a clock that went back must not
    /// make anything young.
    private func adopt(_ held: SavedState.Held, elapsed: Duration?, at now: ContinuousClock.Instant) -> Bool {
        let snapshot: RateSnapshot
        do throws(SnapshotCodecError) {
            snapshot = try codec.decode(held.stored)
        } catch {
            counters.unreadable.add()
            return false
        }
        let policy = settings.policy
        let age = elapsed.map { held.age + $0 } ?? max(held.age, policy.endOfFreshness(snapshot))
        let rest = policy.keepFor(snapshot) - age
        guard rest >= .milliseconds(1) else { return false }
        let isAdopted = adopt(
            Adopted(snapshot, age: age, arrived: now), stored: held.stored.kept(for: rest), isOwnFetch: false,
            isDrawn: false)
        if isAdopted { keeper?.countAdopted() }
        return isAdopted
    }
}

extension TierPolicy {
    /// From which age on no entry of a snapshot is fresh.
    func endOfFreshness(_ snapshot: RateSnapshot) -> Duration {
        let lifetimes = snapshot.table.symbols.map { lifetime(of: $0, in: snapshot) }
        return lifetimes.reduce(lifetime(of: nil, in: snapshot), max)
    }
}
