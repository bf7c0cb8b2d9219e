import Telemetry

/// What operators do to a running fleet, and what follows from it on each instance.
extension Refresher {
    /// Ends cooldowns before their time, for the whole fleet.
    ///
    /// - Returns: those that there were; nil if the store can't be asked, and then nothing has changed for certain.
    package func lift(_ scopes: [CooldownScope]) async -> [CooldownScope]? {
        var lifted: [CooldownScope] = []
        for scope in scopes {
            // Forgotten first: a testimony must not bring it back.
            memory.forget(scope)
            let reply = await asked {
                [store, settings] (birth, version, floor) async throws(StoreError) -> Answer<LiftReply> in
                try await store.lift(
                    LiftRequest(
                        scope: scope, holder: settings.holder, birth: birth, version: version, floor: floor,
                        plan: settings.plan))
            }
            guard let reply, reply != .lost else { return nil }
            if reply == .lifted { lifted.append(scope) }
            logger.log(
                .notice, "an operator has lifted a cooldown",
                [.scope: scope.rawValue, .outcome: reply == .lifted ? "lifted" : "nothing"])
        }
        wants.ring()
        return lifted
    }

    /// Drops all snapshots, in the store and in every memory.
    ///
    /// - Returns: whether the store has taken it.
    package func purge() async -> Bool {
        let resources = Set(states.keys).union([.currencies]).subtracting([.account])
            .sorted { $0.name < $1.name }
        let reply = await asked {
            [store, settings] (birth, version, floor) async throws(StoreError) -> Answer<PurgeReply> in
            try await store.purge(
                PurgeRequest(
                    resources: resources, holder: settings.holder, birth: birth, version: version,
                    floor: floor, plan: settings.plan))
        }
        guard reply == .purged else { return false }
        logger.log(.notice, "an operator has dropped all snapshots", [.count: String(resources.count)])
        wants.ring()
        return true
    }

    /// There is another upstream key from now on: what was refused to the old one stops this instance no more.
    package func use(_ newKey: KeyMark) {
        guard newKey != key else { return }
        key = newKey
        for (resource, state) in states where flights[resource] == nil {
            switch state.condition {
            case .keyRejected, .forbidden: set(resource, .idle)
            case .idle, .refreshing, .queued, .warmingUp, .failing, .cooldown, .paced, .quotaSpent,
                .storeAway, .clockDisputed:
                break
            }
        }
        logger.log(.notice, "there is a new key: what was refused to the old one is forgotten here")
        wants.ring()
    }

    /// Asks the store, and tells it what is remembered where it has lost its control; nil if it can't be asked.
    func asked<Reply>(
        _ ask: (_ birth: String?, _ version: Int64, _ floor: FencingToken) async throws(StoreError) ->
            Answer<Reply>
    ) async -> Reply? {
        var last: Reply?
        for _ in 0..<3 {
            do throws(StoreError) {
                let sent = time.now()
                let answer = try await ask(memory.birth, memory.version, memory.floor)
                storeAnswered(answer.shadow, to: .order, sent: sent)
                last = answer.reply
                if answer.shadow != nil { return answer.reply }
            } catch {
                storeFailed(error, to: .order)
                return nil
            }
            await testify()
        }
        return last
    }

    /// Whether a snapshot of this token counts: an operator may have dropped all up to some token.
    func isKept(_ token: FencingToken) -> Bool { token > memory.shadow?.purged ?? .none }

    /// Takes out of memory what an operator has dropped.
    func dropPurged(by shadow: Shadow) {
        guard shadow.purged > .none else { return }
        for (resource, state) in states where state.adopted.map({ !isKept($0.snapshot.token) }) ?? false {
            states[resource]?.drop()
            logger.log(.notice, "a snapshot is dropped by an operator's wish", [.resource: resource.name])
            if let view = states[resource]?.view {
                tell(RefreshNews(resource: resource, view: view, isOwnFetch: false))
            }
        }
    }

    /// Says once a month of each mark of the plan that it is passed.
    func tellMarks(_ shadow: Shadow) {
        let outlook = QuotaOutlook(shadow, settings.plan)
        for mark in marks.news(month: shadow.month, reached: outlook.reached) {
            logger.log(
                .warning, "the month's calls have passed a mark",
                [
                    .value: "\(mark) %", .count: String(shadow.counted + shadow.external),
                    .limit: String(shadow.plan),
                    .month: shadow.month,
                ])
        }
    }
}
