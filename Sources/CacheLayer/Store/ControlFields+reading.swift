extension ControlFields {
    /// The control that some fields are, and how many paces among them could not be read.
    ///
    /// Strict: one field that a promise rests on and that can't be read makes all of it unreadable. A pace is worth no new
    /// life: unreadable, it is written anew.
    static func read(_ fields: [String: String]) -> (control: ControlReading, garbage: Int) {
        guard !fields.isEmpty else { return (.absent, 0) }
        if let schema = fields["schema"].flatMap({ Int64($0) }), schema > ControlRecord.schema {
            return (.later(schema: schema), 0)
        }
        do throws(StateFileFault) {
            let (control, garbage) = try record(fields)
            return (.record(control), garbage)
        } catch {
            return (.unreadable, 0)
        }
    }

    private static func record(_ fields: [String: String]) throws(StateFileFault) -> (ControlRecord, Int) {
        let reader = ControlFieldReader(fields)
        guard try reader.number("schema") == ControlRecord.schema, let birth = fields["birth"], !birth.isEmpty
        else { throw .malformed }
        var control = ControlRecord(
            birth: birth, version: try reader.number("version"), opensAt: try reader.number("open_at"),
            grace: try reader.number("grace"), epoch: try reader.number("epoch"),
            ledger: try ledger(reader), purged: try reader.optional("purged") ?? 0,
            arrival: try reader.number("tat"))
        control.starts = try starts(fields["starts"])
        if let slow = fields["slow"] {
            let parts = try numbers(slow.split(separator: ":"), count: 2)
            guard (1...SlowDown.highest).contains(parts[0]) else { throw .malformed }
            control.slowDown = SlowDown(level: parts[0], since: parts[1])
        }
        for tree in try reader.list("flights", most: 10_000) { control.flights.append(try flight(tree)) }
        for tree in try reader.list("refused", most: RefusalRecord.kept) {
            control.refusals.append(try refusal(tree))
        }
        for scope in CooldownScope.allCases {
            guard let tree = try reader.tree(cooldown + scope.rawValue) else { continue }
            control.cooldowns[scope] = try cooldown(tree)
        }
        var garbage = 0
        for name in fields.keys where name.hasPrefix(pace) {
            guard let resource = Resource(name: String(name.dropFirst(pace.count))) else { continue }
            do throws(StateFileFault) {
                control.paces[resource] = try reader.tree(name).map(Self.pace)
            } catch {
                garbage += 1
            }
        }
        return (control, garbage)
    }

    private static func ledger(_ reader: ControlFieldReader) throws(StateFileFault) -> LedgerRecord {
        guard let month = reader.fields["month"].flatMap({ Month(text: $0) }) else { throw .malformed }
        var ledger = LedgerRecord(month: month)
        ledger.counted = try reader.number("counted")
        ledger.inherited = try reader.optional("inherited") ?? 0
        ledger.carry = try reader.optional("carry") ?? 0
        ledger.external = try reader.optional("external") ?? 0
        ledger.evidenceAt = try reader.optional("evidence_at")
        ledger.shownLimit = try reader.optional("limit")
        ledger.legacySeen = try reader.optional("legacy")
        if let text = reader.fields["assumed"] {
            let parts = text.split(separator: " ")
            guard parts.count == 3, let reason = Assumption.Reason(rawValue: String(parts[1])) else {
                throw .malformed
            }
            let share = try numbers(parts[0].split(separator: "/"), count: 2)
            guard share[1] > 0 else { throw .malformed }
            ledger.assumption = Assumption(
                calls: share[0], plan: share[1], reason: reason, since: try numbers([parts[2]], count: 1)[0])
        }
        if let tree = try reader.tree("recovery") { ledger.recovery = try recovery(tree) }
        for (name, text) in reader.fields where name.hasPrefix(offline) {
            let parts = text.split(separator: " ")
            guard parts.count == 2, let told = Month(text: parts[0]) else { throw .malformed }
            ledger.offline[String(name.dropFirst(offline.count))] = Testimony.Offline(
                month: told.description, calls: try numbers([parts[1]], count: 1)[0])
        }
        return ledger
    }

    private static func starts(_ text: String?) throws(StateFileFault) -> MinuteWindow {
        var seconds: [MinuteWindow.Second] = []
        for entry in text?.split(separator: " ") ?? [] {
            let parts = try numbers(entry.split(separator: ":"), count: 2)
            seconds.append(MinuteWindow.Second(second: parts[0], calls: parts[1]))
        }
        return MinuteWindow(seconds: seconds)
    }

    private static func numbers(_ parts: [Substring], count: Int) throws(StateFileFault) -> [Int64] {
        guard parts.count == count else { throw .malformed }
        var numbers: [Int64] = []
        for part in parts {
            guard let number = ControlFieldReader.number(part) else { throw .malformed }
            numbers.append(number)
        }
        return numbers
    }

    private static func recovery(_ tree: JSONTree) throws(StateFileFault) -> Recovery {
        let fields = try StateFields(tree)
        return Recovery(
            began: try fields.integer("began"), isKnown: try fields.flag("known"),
            blank: try fields.integer("blank"),
            toldAssumed: try fields.integer("assumed"), sight: try fields.integer("sight"),
            missing: try names(fields, "missing"), witnesses: try names(fields, "witnesses"))
    }

    private static func names(_ fields: StateFields, _ name: String) throws(StateFileFault) -> [String] {
        try fields.list(name, most: Recovery.mostMembers).compactMap(\.string)
    }

    private static func flight(_ tree: JSONTree) throws(StateFileFault) -> FlightRecord {
        let fields = try StateFields(tree)
        return FlightRecord(
            attempt: AttemptID(stored: try fields.word("attempt")), token: try fields.integer("token"),
            resource: try fields.resource("resource"), holder: try fields.text("holder"),
            end: try fields.integer("end"), month: try fields.month("month"),
            lease: try fields.integer("lease"), interval: try fields.integer("interval"),
            isSettled: try fields.flag("settled"))
    }

    private static func cooldown(_ tree: JSONTree) throws(StateFileFault) -> CooldownRecord {
        let fields = try StateFields(tree)
        var attempts: [AttemptID] = []
        for attempt in try fields.list("attempts", most: CooldownRecord.attemptsKept) {
            guard let text = attempt.string else { throw .malformed }
            attempts.append(AttemptID(stored: text))
        }
        return CooldownRecord(
            end: try fields.integer("end"),
            token: try fields.integer("token", in: -1...StateFields.counts.upperBound),
            strikes: try fields.integer("strikes"), reason: try fields.text("reason"),
            since: try fields.integer("since"), attempts: attempts, isTold: try fields.flag("told"),
            keys: try fields.keys())
    }

    private static func refusal(_ tree: JSONTree) throws(StateFileFault) -> RefusalRecord {
        let fields = try StateFields(tree)
        return RefusalRecord(
            kind: try fields.word("kind"), key: KeyMark(stored: try fields.word("key")),
            end: try fields.integer("end"), strikes: try fields.integer("strikes"),
            token: try fields.integer("token"))
    }

    private static func pace(_ tree: JSONTree) throws(StateFileFault) -> PaceRecord {
        let fields = try StateFields(tree)
        return PaceRecord(
            nextAt: try fields.integer("next_at"), strikes: try fields.integer("strikes"),
            token: try fields.integer("token"), failed: try fields.integer("failed"))
    }
}
