/// Snapshots as bytes for the store and the state file: a JSON document of our own, `schema` 1.
///
/// The same snapshot always gives the same bytes, and these give the same snapshot: rates and times keep
/// their texts. Pure, any thread.
package struct SnapshotCodec: Hashable, Sendable {
    /// Any change of meaning takes a new number: instances of two versions then miss each other's snapshots
    /// instead of misreading them.
    static let schema = 1

    /// No snapshot of an accepted body is longer: a megabyte came in, escapes may double it.
    package static let largestBody = 4 * 1_048_576

    /// Says how long the store has to keep a snapshot.
    package let policy: TierPolicy

    package init(policy: TierPolicy) {
        self.policy = policy
    }

    /// The snapshot in the store's form, with the time that it has to be kept.
    package func encode(_ snapshot: RateSnapshot) -> StoredSnapshot {
        let order = snapshot.order
        return StoredSnapshot(
            resource: snapshot.resource, id: snapshot.id, token: snapshot.token,
            fetchedAt: snapshot.fetchedAt, dataTime: order.dataTime, source: order.source,
            body: Self.document(of: snapshot).encoded, keepFor: policy.keepFor(snapshot))
    }

    /// The snapshot that `encode` made the store's form of.
    ///
    /// Whatever stands in the store: a snapshot comes back or an error, in bounded memory. The caller takes
    /// an error as a miss. Throws `tooLarge`, `notJSON`, `otherSchema`, `malformed` or `disagrees`.
    package func decode(_ stored: StoredSnapshot) throws(SnapshotCodecError) -> RateSnapshot {
        guard stored.body.count <= Self.largestBody else { throw .tooLarge }
        guard let root = try? JSONTree.parse(stored.body, depth: 5) else { throw .notJSON }
        guard let fields = SnapshotCodecFields(root) else { throw .malformed }
        guard try fields.integer("schema") == Int64(Self.schema) else { throw .otherSchema }
        let year = try fields.year(of: stored.resource)
        let list = try fields.list(of: stored.resource)
        let table =
            if let newest = year?.newestTable {
                newest
            } else if list != nil {
                CurrencyList.table(arrived: stored.dataTime)
            } else {
                try fields.table()
            }
        let snapshot = RateSnapshot(
            id: stored.id, resource: stored.resource, token: stored.token, fetchedAt: stored.fetchedAt,
            interval: .milliseconds(try fields.integer("interval_ms", in: 0...Self.longestInterval)),
            table: table, year: year, list: list)
        guard try fields.text("id") == stored.id.text, try fields.text("resource") == stored.resource.name,
            try fields.integer("token") == stored.token.value,
            try fields.integer("fetched_at", in: SnapshotCodecFields.instants) == stored.fetchedAt.value,
            snapshot.order == stored.order
        else { throw .disagrees }
        if case .latest(let base) = stored.resource, base != snapshot.table.base { throw .disagrees }
        return snapshot
    }

    /// A year in milliseconds: no interval is longer.
    private static let longestInterval: Int64 = 366 * 86_400_000

    /// The members with which every document begins.
    private static func head(of snapshot: RateSnapshot) -> [JSONTree.Member] {
        [
            .init("schema", .number(String(schema))),
            .init("id", .string(snapshot.id.text)),
            .init("resource", .string(snapshot.resource.name)),
            .init("token", .number(String(snapshot.token.value))),
            .init("fetched_at", .number(String(snapshot.fetchedAt.value))),
            .init("interval_ms", .number(String(snapshot.interval.milliseconds))),
        ]
    }

    /// A year: its columns, and its rows as one text, so that eight thousand rates are one string to a parser.
    private static func document(of snapshot: RateSnapshot, _ year: YearTable) -> JSONTree {
        .object(
            head(of: snapshot) + [
                .init("base", .string(year.base.code)),
                .init("complete", .bool(year.isComplete)),
                .init("notice", optional(year.notice)),
                .init("columns", .string(year.symbols.map(\.code).joined(separator: ","))),
                .init("rows", .string(YearText.encode(year))),
            ] + decimals(year.minorUnits))
    }

    /// The list of currencies: what upstream says of each is a text, however deep it is.
    private static func document(of snapshot: RateSnapshot, _ list: CurrencyList) -> JSONTree {
        .object(
            head(of: snapshot) + [
                .init("form", .string(list.form.rawValue)),
                .init("extras", extras(list.extras)),
                .init(
                    "currencies",
                    .array(list.entries.map { .array([.string($0.code.code), .string($0.json)]) })
                ),
            ])
    }

    private static func document(of snapshot: RateSnapshot) -> JSONTree {
        if let year = snapshot.year { return document(of: snapshot, year) }
        if let list = snapshot.list { return document(of: snapshot, list) }
        let table = snapshot.table
        return .object(
            head(of: snapshot) + [
                .init("base", .string(table.base.code)),
                .init("source", .string(table.source.name)),
                .init("market_session", optional(table.marketSession)),
                .init("timestamp", optional(table.timestamp)),
                .init("data_time", time(table.dataTime)),
                .init("has_sources", .bool(table.hasSources)),
                .init("has_effective_at", .bool(table.hasEffectiveAt)),
                .init("notice", optional(table.notice)),
                .init("extras", extras(table.extras)),
                .init("symbols", .array(table.symbols.map(symbol))),
            ] + decimals(table.minorUnits))
    }

    /// Only where there is something: ISO 4217's decimals go without saying.
    private static func decimals(_ minorUnits: [Currency: Int]) -> [JSONTree.Member] {
        guard !minorUnits.isEmpty else { return [] }
        let pairs = minorUnits.sorted { $0.key < $1.key }.map { code, decimals in
            JSONTree.array([.string(code.code), .number(String(decimals))])
        }
        return [.init("decimals", .array(pairs))]
    }

    private static func extras(_ extras: [RateTable.Extra]) -> JSONTree {
        .array(extras.map { .array([.string($0.name), .string($0.json)]) })
    }

    private static func symbol(_ entry: SymbolRate) -> JSONTree {
        .array(
            [
                .string(entry.currency.code), .string(entry.rate.text), .string(entry.source.name),
                entry.effectiveAt.map(time) ?? .null, optional(entry.kept?.rawValue),
            ] + (entry.quarantined.map { [heldBack($0)] } ?? []))
    }

    /// What is held back of a symbol: a sixth part, only where there is something.
    private static func heldBack(_ value: QuarantinedRate) -> JSONTree {
        .array([
            .string(value.first.text), .string(value.rate.text), value.effectiveAt.map(time) ?? .null,
            .number(String(value.confirmations)), .number(String(value.since.value)),
            .number(String(value.keptUntil.value)),
        ])
    }

    private static func time(_ timestamp: Timestamp) -> JSONTree {
        .array([.string(timestamp.text), .number(String(timestamp.instant.value))])
    }

    private static func optional(_ text: String?) -> JSONTree {
        text.map(JSONTree.string) ?? .null
    }
}
