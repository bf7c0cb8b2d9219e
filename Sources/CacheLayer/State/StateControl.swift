/// The in-memory store's control in a state file: an object of the fields that Redis's hash has.
enum StateControl {
    static func tree(_ control: ControlRecord) -> JSONTree {
        .object(
            ControlFields.fields(control).sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
    }

    /// Nil where there is none.
    static func control(_ fields: StateFields?) throws(StateFileFault) -> ControlRecord? {
        guard let fields else { return nil }
        guard let texts = fields.texts else { return try older(fields) }
        guard case .record(let control) = ControlFields.read(texts).control else { throw .malformed }
        return control
    }

    /// The count of a control that version 0.1.0 has written.
    private static func older(_ fields: StateFields) throws(StateFileFault) -> ControlRecord {
        var ledger = LedgerRecord(month: try fields.month("month"))
        let used = try fields.integer("used", in: 0...2 * PlanNumbers.mostCalls)
        ledger.external = min(used, try fields.newerInteger("external") ?? 0)
        ledger.counted = used - ledger.external
        return ControlRecord(
            birth: try fields.word("birth"), opensAt: try fields.integer("open_at"),
            grace: try fields.integer("grace"), epoch: try fields.integer("epoch"), ledger: ledger,
            arrival: try fields.integer("tat"))
    }
}
