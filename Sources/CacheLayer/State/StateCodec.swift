/// A state file's bytes: one JSON document, `schema` 1, that ends with the digest of what stands before it.
///
/// The same state always gives the same bytes. Pure, any thread. `docs/state-file.md` names every field.
struct StateCodec: Sendable {
    /// A change of meaning takes a new number; new fields don't.
    static let schema: Int64 = 1
    /// A file larger than this isn't looked at.
    static let largestFile = 32 * 1_048_576

    let identity: StateIdentity
    /// Snapshots are written as long as their texts fit into this; the least useful ones stay out.
    var mostSnapshotBytes = 16 * 1_048_576

    func encode(_ state: SavedState) -> [UInt8] {
        let document = JSONTree.object([
            .init("schema", .integer(Self.schema)),
            .init("fleet", .string(identity.fleet)),
            .init("upstream", .string(identity.upstream)),
            .init("instance", .string(state.instance)),
            .init(
                "written",
                .object([
                    .init("at", .integer(state.written.wall.value)),
                    .init("boot", .string(state.written.boot)),
                    .init("boot_ms", .integer(state.written.sinceBoot.milliseconds)),
                ])),
            .init("floor", .integer(state.floor.value)),
            .init("ledger", state.ledger.map(Self.tree) ?? .null),
            .init("cooldowns", .array(state.cooldowns.map(Self.tree))),
            .init("offline", Self.tree(state.offline)),
            .init("control", state.control.map(StateControl.tree) ?? .null),
            .init("snapshots", .array(fitting(state.snapshots).map(Self.tree))),
        ])
        var bytes = document.encoded
        let digest = ContentDigest(of: bytes)
        bytes.removeLast()
        bytes.append(contentsOf: Self.tail(digest))
        return bytes
    }

    /// Reads what `encode` wrote, or says why it is nothing of ours.
    ///
    /// Throws `tooLarge`, `notJSON`, `otherSchema`, `foreign`, `damaged` or `malformed`.
    func decode(_ bytes: [UInt8]) throws(StateFileFault) -> SavedState {
        guard bytes.count <= Self.largestFile else { throw .tooLarge }
        guard let root = try? JSONTree.parse(bytes, depth: 8) else { throw .notJSON }
        let fields = try StateFields(root)
        guard try fields.integer("schema") == Self.schema else { throw .otherSchema }
        guard try fields.text("fleet") == identity.fleet, try fields.text("upstream") == identity.upstream
        else { throw .foreign }
        guard Self.hasItsDigest(bytes) else { throw .damaged }
        let written = try fields.object("written")
        return SavedState(
            instance: try fields.word("instance"),
            written: StateMoment(
                wall: try written.instant("at"), sinceBoot: try written.milliseconds("boot_ms"),
                boot: try written.text("boot")),
            floor: FencingToken(try fields.integer("floor")),
            ledger: try Self.ledger(try fields.optionalObject("ledger")),
            cooldowns: try Self.cooldowns(try fields.list("cooldowns", most: CooldownScope.allCases.count)),
            offline: try Self.offline(try fields.object("offline")),
            control: try StateControl.control(try fields.optionalObject("control")),
            snapshots: try Self.snapshots(try fields.list("snapshots", most: SavedState.mostSnapshots)))
    }

    // MARK: The digest

    private static func tail(_ digest: ContentDigest) -> [UInt8] {
        Array(",\"sha256\":\"\(digest.hexadecimal)\"}\n".utf8)
    }

    /// Whether the last field is the digest of everything before it, closed by a brace.
    private static func hasItsDigest(_ bytes: [UInt8]) -> Bool {
        let length = 11 + 64 + 3
        guard bytes.count > length else { return false }
        let content = bytes.dropLast(length) + [UInt8(ascii: "}")]
        return bytes.suffix(length).elementsEqual(tail(ContentDigest(of: Array(content))))
    }

    // MARK: Snapshots

    /// As many as are kept: latest tables before all else, then the newest.
    private func fitting(_ snapshots: [SavedState.Held]) -> [SavedState.Held] {
        var room = mostSnapshotBytes
        let ordered = snapshots.sorted { left, right in
            let (isLeft, isRight) = (left.stored.resource.isLatest, right.stored.resource.isLatest)
            if isLeft != isRight { return isLeft }
            return (right.stored.fetchedAt, left.stored.resource.name)
                < (left.stored.fetchedAt, right.stored.resource.name)
        }
        return ordered.prefix(SavedState.mostSnapshots).filter { held in
            let length = Self.escapedLength(held.stored.body)
            guard length <= room else { return false }
            room -= length
            return true
        }
    }

    private static func escapedLength(_ body: [UInt8]) -> Int {
        body.reduce(0) { length, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): length + 2
            case 0..<0x20: length + 6
            default: length + 1
            }
        }
    }

    private static func tree(_ held: SavedState.Held) -> JSONTree {
        .object([
            .init("resource", .string(held.stored.resource.name)),
            .init("id", .string(held.stored.id.text)),
            .init("token", .integer(held.stored.token.value)),
            .init("fetched_at", .integer(held.stored.fetchedAt.value)),
            .init("data_time", .integer(held.stored.dataTime.value)),
            .init("source", .string(held.stored.source.name)),
            .init("age_ms", .integer(held.age.milliseconds)),
            .init("body", .string(String(decoding: held.stored.body, as: UTF8.self))),
        ])
    }

    private static func snapshots(_ trees: [JSONTree]) throws(StateFileFault) -> [SavedState.Held] {
        var snapshots: [SavedState.Held] = []
        for tree in trees {
            let fields = try StateFields(tree)
            guard let id = SnapshotID(parsing: try fields.text("id")) else { throw .malformed }
            let stored = StoredSnapshot(
                resource: try fields.resource("resource"), id: id,
                token: FencingToken(try fields.integer("token")),
                fetchedAt: try fields.instant("fetched_at"), dataTime: try fields.instant("data_time"),
                source: Source(name: try fields.text("source")), body: Array(try fields.text("body").utf8),
                keepFor: .milliseconds(1))
            snapshots.append(SavedState.Held(stored: stored, age: try fields.milliseconds("age_ms")))
        }
        return snapshots
    }

    // MARK: What is known of the control

    private static func tree(_ ledger: SavedState.Ledger) -> JSONTree {
        .object([
            .init("birth", .string(ledger.birth)),
            .init("month", .string(ledger.month.description)),
            .init("counted", .integer(ledger.counted)),
            .init("assumed", .integer(ledger.assumed)),
            .init("external", .integer(ledger.external)),
            .init("members", .array(ledger.members.map(JSONTree.string))),
            .init("plan", .integer(ledger.plan)),
            .init("epoch", .integer(ledger.epoch.value)),
            .init("instances", ledger.instances.map(JSONTree.integer) ?? .null),
            .init("told_at", .integer(ledger.toldAt.value)),
            .init("age_ms", .integer(ledger.age.milliseconds)),
        ])
    }

    private static func ledger(_ fields: StateFields?) throws(StateFileFault) -> SavedState.Ledger? {
        guard let fields else { return nil }
        return SavedState.Ledger(
            birth: try fields.word("birth"), month: try fields.month("month"),
            counted: try counted(fields),
            assumed: try fields.newerInteger("assumed") ?? 0,
            external: try fields.newerInteger("external") ?? 0,
            plan: try fields.integer("plan", in: 0...PlanNumbers.mostCalls),
            epoch: FencingToken(try fields.integer("epoch")),
            instances: try fields.optionalInteger("instances").map { min($0, 1_000_000) },
            members: try fields.newerList("members", most: Recovery.mostMembers).compactMap(\.string),
            toldAt: try fields.instant("told_at"), age: try fields.milliseconds("age_ms"))
    }

    /// A file of version 0.1.0 has one figure for all parts.
    private static func counted(_ fields: StateFields) throws(StateFileFault) -> Int64 {
        let isNewer = try fields.newerInteger("counted") != nil
        return try fields.integer(isNewer ? "counted" : "used", in: 0...PlanNumbers.mostCalls)
    }

    private static func tree(_ cooldown: SavedState.Cooldown) -> JSONTree {
        .object([
            .init("scope", .string(cooldown.scope.rawValue)),
            .init("end", .integer(cooldown.end.value)),
            .init("strikes", .integer(cooldown.strikes)),
            .init("reason", .string(cooldown.reason)),
            .init("keys", .array(cooldown.keys.map { .string($0.text) })),
        ])
    }

    private static func cooldowns(_ trees: [JSONTree]) throws(StateFileFault) -> [SavedState.Cooldown] {
        var cooldowns: [SavedState.Cooldown] = []
        for tree in trees {
            let fields = try StateFields(tree)
            cooldowns.append(
                SavedState.Cooldown(
                    scope: try fields.scope("scope"), end: try fields.instant("end"),
                    strikes: try fields.integer("strikes", in: 0...1_000_000),
                    reason: try fields.text("reason"), keys: try fields.keys()))
        }
        return cooldowns
    }

    private static func tree(_ offline: SavedState.Offline) -> JSONTree {
        .object([
            .init("month", offline.month.map { .string($0.description) } ?? .null),
            .init("calls", .integer(offline.calls)),
            .init(
                "recent",
                .array(
                    offline.recent.map {
                        .array([.integer($0.age.milliseconds), .integer($0.calls)])
                    })),
        ])
    }

    private static func offline(_ fields: StateFields) throws(StateFileFault) -> SavedState.Offline {
        var recent: [SavedState.Offline.Recent] = []
        for tree in try fields.list("recent", most: OfflineCalls.mostRecent) {
            guard let pair = tree.elements, pair.count == 2 else { throw .malformed }
            recent.append(
                SavedState.Offline.Recent(
                    age: .milliseconds(try StateFields.integer(pair[0])),
                    calls: try StateFields.integer(pair[1], in: 1...PlanNumbers.mostCalls)))
        }
        return SavedState.Offline(
            month: try fields.optionalMonth("month"),
            calls: try fields.integer("calls", in: 0...PlanNumbers.mostCalls), recent: recent)
    }
}

extension JSONTree {
    /// A whole number in its own digits.
    static func integer(_ value: Int64) -> JSONTree { .number(String(value)) }
}
