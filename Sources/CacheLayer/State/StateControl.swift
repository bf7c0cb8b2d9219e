/// The in-memory store's control in a state file, under the names that the fields of Redis's hash have.
enum StateControl {
    static func tree(_ control: ControlRecord) -> JSONTree {
        .object([
            .init("birth", .string(control.birth)),
            .init("open_at", .integer(control.opensAt)),
            .init("grace", .integer(control.grace)),
            .init("epoch", .integer(control.epoch)),
            .init("month", .string(control.month.description)),
            .init("used", .integer(control.used)),
            .init("carry", .integer(control.carry)),
            .init("plan", optional(control.shownPlan)),
            .init("tat", .integer(control.arrival)),
            .init("flights", .array(control.flights.map(tree))),
            .init(
                "cooldowns",
                .array(
                    CooldownScope.allCases.compactMap { scope in
                        control.cooldowns[scope].map { tree(scope, $0) }
                    })
            ),
            .init(
                "slow", control.slowDown.map { .array([.integer($0.level), .integer($0.since)]) } ?? .null),
            .init("paces", .array(control.paces.sorted { $0.key.name < $1.key.name }.map(tree))),
            .init("away", .integer(control.away)),
            .init("external", .integer(control.external)),
            .init("most", optional(control.ownMost)),
            .init("purged", .integer(control.purged)),
            .init("refused", .array(control.refusals.map(tree))),
            .init("told", optional(control.told)),
            .init(
                "offline",
                .array(
                    control.offline.sorted { $0.key < $1.key }.map { holder, total in
                        .array([.string(holder), .string(total.month), .integer(total.calls)])
                    })),
        ])
    }

    static func control(_ fields: StateFields?) throws(StateFileFault) -> ControlRecord? {
        guard let fields else { return nil }
        var control = ControlRecord(
            stamp: ControlState.memoryStamp, birth: try fields.word("birth"),
            opensAt: try instant(fields, "open_at"), grace: try fields.integer("grace"),
            epoch: try fields.integer("epoch"), month: try fields.month("month"),
            used: try fields.integer("used", in: 0...2 * PlanNumbers.mostCalls),
            carry: try fields.integer("carry"), shownPlan: try fields.optionalInteger("plan"),
            arrival: try instant(fields, "tat"), away: try fields.integer("away"),
            told: try fields.optionalInteger("told"))
        control.external = try fields.newerInteger("external") ?? 0
        control.ownMost = try fields.newerInteger("most")
        control.purged = try fields.newerInteger("purged") ?? 0
        for tree in try fields.newerList("refused", most: RefusalRecord.kept) {
            control.refusals.append(try refusal(tree))
        }
        for tree in try fields.list("flights", most: 10_000) { control.flights.append(try flight(tree)) }
        for tree in try fields.list("cooldowns", most: CooldownScope.allCases.count) {
            let (scope, record) = try cooldown(tree)
            control.cooldowns[scope] = record
        }
        if let slow = try fields.optionalList("slow", most: 2) {
            guard slow.count == 2 else { throw .malformed }
            control.slowDown = SlowDown(
                level: try StateFields.integer(slow[0], in: 0...SlowDown.highest),
                since: try StateFields.integer(slow[1], in: SnapshotCodecFields.instants))
        }
        for tree in try fields.list("paces", most: 100_000) {
            let (resource, record) = try pace(tree)
            control.paces[resource] = record
        }
        for tree in try fields.list("offline", most: 10_000) {
            guard let parts = tree.elements, parts.count == 3, let holder = parts[0].string,
                let month = parts[1].string
            else { throw .malformed }
            control.offline[holder] = Testimony.Offline(
                month: month, calls: try StateFields.integer(parts[2], in: 0...PlanNumbers.mostCalls))
        }
        return control
    }

    private static func optional(_ value: Int64?) -> JSONTree { value.map(JSONTree.integer) ?? .null }

    private static func instant(_ fields: StateFields, _ name: String) throws(StateFileFault) -> Int64 {
        try fields.instant(name).value
    }

    private static func tree(_ flight: FlightRecord) -> JSONTree {
        .object([
            .init("attempt", .string(flight.attempt.text)),
            .init("token", .integer(flight.token)),
            .init("resource", .string(flight.resource.name)),
            .init("holder", .string(flight.holder)),
            .init("end", .integer(flight.end)),
            .init("month", .string(flight.month.description)),
            .init("lease", .integer(flight.lease)),
            .init("interval", .integer(flight.interval)),
            .init("settled", .bool(flight.isSettled)),
        ])
    }

    private static func flight(_ tree: JSONTree) throws(StateFileFault) -> FlightRecord {
        let fields = try StateFields(tree)
        return FlightRecord(
            attempt: AttemptID(stored: try fields.word("attempt")), token: try fields.integer("token"),
            resource: try fields.resource("resource"), holder: try fields.text("holder"),
            end: try instant(fields, "end"), month: try fields.month("month"),
            lease: try fields.integer("lease"), interval: try fields.integer("interval"),
            isSettled: try fields.flag("settled"))
    }

    private static func tree(_ scope: CooldownScope, _ record: CooldownRecord) -> JSONTree {
        .object([
            .init("scope", .string(scope.rawValue)),
            .init("end", .integer(record.end)),
            .init("token", .integer(record.token)),
            .init("strikes", .integer(record.strikes)),
            .init("reason", .string(record.reason)),
            .init("since", .integer(record.since)),
            .init("attempts", .array(record.attempts.map { .string($0.text) })),
            .init("told", .bool(record.isTold)),
            .init("keys", .array(record.keys.map { .string($0.text) })),
        ])
    }

    private static func cooldown(_ tree: JSONTree) throws(StateFileFault) -> (CooldownScope, CooldownRecord) {
        let fields = try StateFields(tree)
        var attempts: [AttemptID] = []
        for attempt in try fields.list("attempts", most: CooldownRecord.attemptsKept) {
            guard let text = attempt.string else { throw .malformed }
            attempts.append(AttemptID(stored: text))
        }
        let record = CooldownRecord(
            end: try instant(fields, "end"),
            token: try fields.integer("token", in: -1...StateFields.counts.upperBound),
            strikes: try fields.integer("strikes"), reason: try fields.text("reason"),
            since: try instant(fields, "since"), attempts: attempts, isTold: try fields.flag("told"),
            keys: try fields.keys())
        return (try fields.scope("scope"), record)
    }

    private static func tree(_ refusal: RefusalRecord) -> JSONTree {
        .object([
            .init("kind", .string(refusal.kind)),
            .init("key", .string(refusal.key.text)),
            .init("end", .integer(refusal.end)),
            .init("strikes", .integer(refusal.strikes)),
            .init("token", .integer(refusal.token)),
        ])
    }

    private static func refusal(_ tree: JSONTree) throws(StateFileFault) -> RefusalRecord {
        let fields = try StateFields(tree)
        return RefusalRecord(
            kind: try fields.word("kind"), key: KeyMark(stored: try fields.word("key")),
            end: try instant(fields, "end"), strikes: try fields.integer("strikes"),
            token: try fields.integer("token"))
    }

    private static func tree(_ resource: Resource, _ record: PaceRecord) -> JSONTree {
        .object([
            .init("resource", .string(resource.name)),
            .init("next_at", .integer(record.nextAt)),
            .init("strikes", .integer(record.strikes)),
            .init("token", .integer(record.token)),
            .init("failed", .integer(record.failed)),
        ])
    }

    private static func pace(_ tree: JSONTree) throws(StateFileFault) -> (Resource, PaceRecord) {
        let fields = try StateFields(tree)
        let record = PaceRecord(
            nextAt: try instant(fields, "next_at"), strikes: try fields.integer("strikes"),
            token: try fields.integer("token"), failed: try fields.integer("failed"))
        return (try fields.resource("resource"), record)
    }
}
