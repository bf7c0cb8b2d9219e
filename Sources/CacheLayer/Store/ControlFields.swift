/// A control as named texts: the fields of Redis's hash, and of a state file's control.
///
/// Fields that say nothing are absent. Compound ones are JSON.
enum ControlFields {
    /// What begins the field of a resource's pace, of a pause, and of an instance's calls without the store.
    static let (pace, cooldown, offline) = ("res:", "cd:", "offline:")

    static func fields(_ control: ControlRecord) -> [String: String] {
        let ledger = control.ledger
        var fields: [String: String] = [
            "schema": String(ControlRecord.schema), "birth": control.birth,
            "version": String(control.version), "open_at": String(control.opensAt),
            "grace": String(control.grace), "epoch": String(control.epoch),
            "month": ledger.month.description, "counted": String(ledger.counted),
            "tat": String(control.arrival),
        ]
        func set(_ name: String, _ value: Int64?) {
            if let value, value != 0 { fields[name] = String(value) }
        }
        set("inherited", ledger.inherited)
        set("carry", ledger.carry)
        set("external", ledger.external)
        set("evidence_at", ledger.evidenceAt)
        set("limit", ledger.shownLimit)
        set("purged", control.purged)
        fields["legacy"] = ledger.legacySeen.map { String($0) }
        fields["assumed"] = ledger.assumption.map {
            "\($0.calls)/\($0.plan) \($0.reason.rawValue) \($0.since)"
        }
        fields["recovery"] = ledger.recovery.map { text(tree($0)) }
        for (witness, total) in ledger.offline { fields[offline + witness] = "\(total.month) \(total.calls)" }
        if !control.starts.seconds.isEmpty {
            fields["starts"] = control.starts.seconds.map { "\($0.second):\($0.calls)" }.joined(
                separator: " ")
        }
        fields["slow"] = control.slowDown.map { "\($0.level):\($0.since)" }
        if !control.flights.isEmpty { fields["flights"] = text(.array(control.flights.map(tree))) }
        if !control.refusals.isEmpty { fields["refused"] = text(.array(control.refusals.map(tree))) }
        for (scope, record) in control.cooldowns { fields[cooldown + scope.rawValue] = text(tree(record)) }
        for (resource, record) in control.paces { fields[pace + resource.name] = text(tree(record)) }
        return fields
    }

    private static func text(_ tree: JSONTree) -> String { String(decoding: tree.encoded, as: UTF8.self) }

    private static func tree(_ recovery: Recovery) -> JSONTree {
        .object([
            .init("began", .integer(recovery.began)), .init("known", .bool(recovery.isKnown)),
            .init("blank", .integer(recovery.blank)),
            .init("assumed", .integer(recovery.toldAssumed)), .init("sight", .integer(recovery.sight)),
            .init("missing", .array(recovery.missing.map(JSONTree.string))),
            .init("witnesses", .array(recovery.witnesses.map(JSONTree.string))),
        ])
    }

    private static func tree(_ flight: FlightRecord) -> JSONTree {
        .object([
            .init("attempt", .string(flight.attempt.text)), .init("token", .integer(flight.token)),
            .init("resource", .string(flight.resource.name)), .init("holder", .string(flight.holder)),
            .init("end", .integer(flight.end)), .init("month", .string(flight.month.description)),
            .init("lease", .integer(flight.lease)), .init("interval", .integer(flight.interval)),
            .init("settled", .bool(flight.isSettled)),
        ])
    }

    private static func tree(_ record: CooldownRecord) -> JSONTree {
        .object([
            .init("end", .integer(record.end)), .init("token", .integer(record.token)),
            .init("strikes", .integer(record.strikes)), .init("reason", .string(record.reason)),
            .init("since", .integer(record.since)),
            .init("attempts", .array(record.attempts.map { .string($0.text) })),
            .init("told", .bool(record.isTold)),
            .init("keys", .array(record.keys.map { .string($0.text) })),
        ])
    }

    private static func tree(_ refusal: RefusalRecord) -> JSONTree {
        .object([
            .init("kind", .string(refusal.kind)), .init("key", .string(refusal.key.text)),
            .init("end", .integer(refusal.end)), .init("strikes", .integer(refusal.strikes)),
            .init("token", .integer(refusal.token)),
        ])
    }

    private static func tree(_ record: PaceRecord) -> JSONTree {
        .object([
            .init("next_at", .integer(record.nextAt)), .init("strikes", .integer(record.strikes)),
            .init("token", .integer(record.token)), .init("failed", .integer(record.failed)),
        ])
    }
}
