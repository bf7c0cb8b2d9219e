/// The commands that apply a change, and what they do to the archive.
struct RedisCommitSteps {
    /// All of these, or nothing at all.
    private(set) var firm: [RedisStep] = []
    /// Nothing else may fail for these: reports, messages, the archive.
    private(set) var further: [RedisStep] = []
    private(set) var news: [ArchiveNews] = []
    /// The keys of the bodies that come into the archive.
    private(set) var bodies: [String] = []
    private let keys: RedisKeys
    private let archiveBytes: Int

    init(_ change: StoreChange, on reading: StoreReading, keys: RedisKeys, archiveBytes: Int) {
        (self.keys, self.archiveBytes) = (keys, archiveBytes)
        // A full server refuses the first write of a script only, and a removal is never refused.
        if change.isOwed { firm.append(RedisStep("HDEL", keys.control, "-")) }
        var before: [String: String] = [:]
        switch reading.control {
        case .record(let control): before = ControlFields.fields(control)
        case .unreadable: firm.append(RedisStep("DEL", keys.control))
        case .absent, .later: break
        }
        let after = ControlFields.fields(change.control)
        let changed = after.filter { before[$0.key] != $0.value }.sorted { $0.key < $1.key }
        firm.append(RedisStep(hset: keys.control, changed.map { ($0.key, $0.value) }))
        let gone = before.keys.filter { after[$0] == nil }.sorted()
        if !gone.isEmpty {
            firm.append(RedisStep(words: (["HDEL", keys.control] + gone).map { Array($0.utf8) }))
        }
        var room = reading.archive
        for effect in change.effects { add(effect, change, reading, &room) }
        if reading.legacy != nil, !reading.isLegacyAlive {
            // Its last instance has been gone for an hour, and what it counted is counted here.
            further.append(RedisStep("DEL", keys.legacyControl))
        }
    }

    private mutating func add(
        _ effect: StoreEffect, _ change: StoreChange, _ reading: StoreReading, _ room: inout ArchiveRoom
    ) {
        switch effect {
        case .keep(let snapshot, let from):
            let key = keys.snapshot(of: snapshot.resource)
            if reading.unreadable.contains(snapshot.resource) { further.append(RedisStep("DEL", key)) }
            further.append(
                RedisStep(hset: key, RedisSnapshotFields.fields(snapshot), body: snapshot.body))
            further.append(RedisStep("PEXPIRE", key, String(max(1, snapshot.keepFor.milliseconds))))
            let plan = ArchivePlan(
                keeping: snapshot, in: room, limit: archiveBytes, at: reading.now, from: from)
            archive(snapshot, plan)
            room.apply(plan)
        case .remove(let resources):
            further += resources.map { RedisStep("DEL", keys.snapshot(of: $0)) }
        case .announce(let event):
            guard let message = RateStoreEvents.message(event, of: change.control) else { return }
            further.append(RedisStep("PUBLISH", keys.events, message))
        case .report(let month, let fields):
            let key = keys.ledger(of: month)
            further += fields.map { RedisStep("HINCRBY", key, $0, "1") }
            further.append(RedisStep("PEXPIRE", key, String(StoreTimings.ledgerKept.milliseconds)))
        case .mirrorCooldown: further.append(mirror(change.control, at: reading.now))
        case .countForLegacy(let calls):
            further.append(RedisStep("HINCRBY", keys.legacyControl, "used", String(calls)))
        }
    }

    private mutating func archive(_ snapshot: StoredSnapshot, _ plan: ArchivePlan) {
        let lifetime = String(StoreTimings.dailyArchiveKept.milliseconds)
        for entry in plan.drops {
            let times = keys.archiveTimes(of: entry.resource)
            further += [
                RedisStep("DEL", keys.archive(of: entry.id)),
                RedisStep("ZREM", keys.archiveOrder, Self.member(entry)),
                RedisStep("ZREM", keys.archiveOrder, "\(entry.id) \(entry.bytes) \(entry.resource.name)"),
                RedisStep("ZREM", times, entry.id.text),
                RedisStep("ZADD", times, String(entry.from.value), "-\(entry.id.text)"),
            ]
        }
        news.append(plan.news)
        guard let entry = plan.entry else {
            if !plan.drops.isEmpty { setBytes(plan.news.bytes, lifetime) }
            return
        }
        let (key, times) = (keys.archive(of: entry.id), keys.archiveTimes(of: entry.resource))
        let mark = ArchiveMark(from: entry.from, id: entry.id, isGap: !plan.hasBody)
        further += [
            RedisStep("ZADD", keys.archiveOrder, String(entry.end.value), Self.member(entry)),
            RedisStep("PEXPIRE", keys.archiveOrder, lifetime),
            RedisStep("ZADD", times, String(entry.from.value), mark.text),
            RedisStep("ZREMRANGEBYRANK", times, "0", String(-ArchiveTimes.mostMarks - 1)),
            RedisStep("PEXPIRE", times, lifetime),
        ]
        setBytes(plan.news.bytes, lifetime)
        guard plan.hasBody else { return }
        bodies.append(key)
        let fields =
            RedisSnapshotFields.fields(snapshot)
            + [("resource", snapshot.resource.name), ("end", String(entry.end.value))]
        further.append(RedisStep(hset: key, fields, body: snapshot.body))
        further.append(
            RedisStep("PEXPIRE", key, String(StoreTimings.archiveKept(snapshot).milliseconds)))
    }

    private mutating func setBytes(_ bytes: Int, _ lifetime: String) {
        further.append(RedisStep("SET", keys.archiveBytes, String(bytes), "PX", lifetime))
    }

    private static func member(_ entry: ArchiveRoom.Entry) -> String {
        "\(entry.id) \(entry.bytes) \(entry.resource.name) \(entry.from.value)"
    }

    /// For people and other tools; no decision reads it.
    private func mirror(_ control: ControlRecord, at now: UnixMilliseconds) -> RedisStep {
        let running = CooldownScope.allCases.compactMap { scope in
            control.cooldowns[scope].map { (scope, $0) }
        }
        .filter { $0.1.isRunning(at: now.value) }
        .max { $0.1.end < $1.1.end }
        guard let (scope, record) = running else { return RedisStep("DEL", keys.cooldown) }
        let until = UnixMilliseconds(record.end / 1_000 * 1_000).rfc3339
        return RedisStep(
            "SET", keys.cooldown, "\(scope.rawValue) \(record.reason) until \(until)", "PX",
            String(record.end - now.value))
    }
}
