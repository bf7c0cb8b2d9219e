/// The fields of a stored snapshot's document, each read strictly: what `SnapshotCodec` didn't write is
/// `malformed`.
struct SnapshotCodecFields {
    private let values: [String: JSONTree]

    /// The years 1 to 9999: keeps later sums of instants and lengths from running over.
    static let instants: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Nil unless the document is an object.
    init?(_ root: JSONTree) {
        guard let members = root.members else { return nil }
        values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    func integer(
        _ name: String, in range: ClosedRange<Int64> = .min ... .max
    ) throws(SnapshotCodecError) -> Int64 {
        try Self.integer(values[name], in: range)
    }

    /// A text of any length.
    func text(_ name: String) throws(SnapshotCodecError) -> String {
        guard let text = values[name]?.string else { throw .malformed }
        return text
    }

    func table() throws(SnapshotCodecError) -> RateTable {
        guard let base = Currency(try text("base")), let dataTime = values["data_time"] else {
            throw .malformed
        }
        var symbols: [SymbolRate] = []
        for element in try list("symbols") {
            let symbol = try Self.symbol(element)
            if let last = symbols.last, last.currency >= symbol.currency { throw .malformed }
            symbols.append(symbol)
        }
        return RateTable(
            base: base, source: try Self.source(values["source"]),
            marketSession: try session(), timestamp: try optionalText("timestamp"),
            dataTime: try Self.time(dataTime), symbols: symbols, hasSources: try flag("has_sources"),
            hasEffectiveAt: try flag("has_effective_at"), notice: try optionalText("notice"),
            extras: try extras(besides: TableFields.known), minorUnits: try minorUnits())
    }

    /// The rows of a year; nil for a resource that isn't one.
    func year(of resource: Resource) throws(SnapshotCodecError) -> YearTable? {
        guard case .year(let base, let year) = resource else { return nil }
        guard try text("base") == base.code else { throw .disagrees }
        let codes = try text("columns").split(separator: ",")
        let columns = codes.compactMap { Currency($0) }
        guard columns.count == codes.count, !columns.isEmpty, !columns.contains(base),
            zip(columns, columns.dropFirst()).allSatisfy(<)
        else { throw .malformed }
        let entries = try YearText.decode(try text("rows"), columns: columns)
        let table = YearTable(
            base: base, year: year, entries: entries, isComplete: try flag("complete"),
            notice: try optionalText("notice"), minorUnits: try minorUnits())
        // Only columns that are used, as `encode` writes them: a year without any could not be written again.
        guard table.symbols == columns else { throw .malformed }
        return table
    }

    /// The list of currencies; nil for a resource that isn't it.
    func list(of resource: Resource) throws(SnapshotCodecError) -> CurrencyList? {
        guard resource == .currencies else { return nil }
        guard let form = CurrencyList.Form(rawValue: try text("form")) else { throw .malformed }
        var entries: [CurrencyList.Entry] = []
        var codes: Set<Currency> = []
        for element in try list("currencies") {
            guard let pair = element.elements, pair.count == 2,
                let code = pair[0].string.flatMap({ Currency($0) }),
                let json = pair[1].string, let value = try? JSONTree.parse(Array(json.utf8)),
                let (entry, _) = CurrencyList.Entry.read(value, code: code, limits: IngestLimits()),
                entry.json == json, codes.insert(code).inserted
            else { throw .malformed }
            entries.append(entry)
        }
        guard !entries.isEmpty else { throw .malformed }
        let known = form == .bareMap ? Set(entries.map(\.code.code)) : ["result", "currencies"]
        return CurrencyList(form: form, entries: entries, extras: try extras(besides: known))
    }

    /// Decimals that aren't ISO 4217's; mostly there are none, and no member either.
    private func minorUnits() throws(SnapshotCodecError) -> [Currency: Int] {
        guard values["decimals"] != nil else { return [:] }
        var decimals: [Currency: Int] = [:]
        for element in try list("decimals") {
            guard let pair = element.elements, pair.count == 2,
                let code = pair[0].string.flatMap({ Currency($0) })
            else { throw .malformed }
            let range = Int64(MinorUnits.range.lowerBound)...Int64(MinorUnits.range.upperBound)
            decimals[code] = Int(try Self.integer(pair[1], in: range))
        }
        return decimals
    }

    /// Fields whose names are none of the `known` ones, each once: answers have them beside those.
    private func extras(besides known: Set<String>) throws(SnapshotCodecError) -> [RateTable.Extra] {
        var extras: [RateTable.Extra] = []
        var names = known
        for element in try list("extras") {
            // The text goes into answers as it is: what isn't JSON would break them.
            guard let pair = element.elements, pair.count == 2, let name = pair[0].string,
                let json = pair[1].string, (try? JSONTree.parse(Array(json.utf8))) != nil,
                names.insert(name).inserted
            else { throw .malformed }
            extras.append(RateTable.Extra(name: name, json: json))
        }
        return extras
    }

    private func session() throws(SnapshotCodecError) -> String? {
        guard let value = values["market_session"], value != .null else { return nil }
        guard let name = IngestLimits().label(value) else { throw .malformed }
        return name
    }

    private func list(_ name: String) throws(SnapshotCodecError) -> [JSONTree] {
        guard let elements = values[name]?.elements else { throw .malformed }
        return elements
    }

    private func flag(_ name: String) throws(SnapshotCodecError) -> Bool {
        guard case .bool(let isTrue) = values[name] else { throw .malformed }
        return isTrue
    }

    private func optionalText(_ name: String) throws(SnapshotCodecError) -> String? {
        guard let value = values[name] else { throw .malformed }
        return try Self.optionalText(value)
    }

    private static func optionalText(_ value: JSONTree) throws(SnapshotCodecError) -> String? {
        guard value != .null else { return nil }
        guard let text = value.string else { throw .malformed }
        return text
    }

    private static func integer(
        _ value: JSONTree?, in range: ClosedRange<Int64>
    ) throws(SnapshotCodecError) -> Int64 {
        guard let text = value?.number, let integer = Int64(text), range.contains(integer) else {
            throw .malformed
        }
        return integer
    }

    private static func time(_ value: JSONTree) throws(SnapshotCodecError) -> Timestamp {
        guard let pair = value.elements, pair.count == 2, let text = pair[0].string else { throw .malformed }
        return Timestamp(text: text, instant: UnixMilliseconds(try integer(pair[1], in: instants)))
    }

    private static func source(_ value: JSONTree?) throws(SnapshotCodecError) -> Source {
        guard let name = IngestLimits().label(value) else { throw .malformed }
        return Source(name: name)
    }

    private static func symbol(_ value: JSONTree) throws(SnapshotCodecError) -> SymbolRate {
        guard let parts = value.elements, (5...6).contains(parts.count), let code = parts[0].string,
            let currency = Currency(code)
        else { throw .malformed }
        let rate = try rate(parts[1])
        var kept: SymbolRate.Kept?
        if let word = try optionalText(parts[4]) {
            guard let known = SymbolRate.Kept(rawValue: word) else { throw .malformed }
            kept = known
        }
        guard parts.count == 5 || kept == .quarantine else { throw .malformed }
        return SymbolRate(
            currency: currency, rate: rate, source: try source(parts[2]),
            effectiveAt: try optionalTime(parts[3]), kept: kept,
            quarantined: parts.count == 6 ? try heldBack(parts[5]) : nil)
    }

    private static func heldBack(_ value: JSONTree) throws(SnapshotCodecError) -> QuarantinedRate {
        guard let parts = value.elements, parts.count == 6 else { throw .malformed }
        return QuarantinedRate(
            first: try rate(parts[0]), rate: try rate(parts[1]), effectiveAt: try optionalTime(parts[2]),
            confirmations: Int(try integer(parts[3], in: 0...Int64(QuarantinedRate.enough - 1))),
            since: UnixMilliseconds(try integer(parts[4], in: instants)),
            keptUntil: UnixMilliseconds(try integer(parts[5], in: instants)))
    }

    private static func rate(_ value: JSONTree) throws(SnapshotCodecError) -> Rate {
        guard let text = value.string else { throw .malformed }
        do throws(RateTextError) {
            return try Rate(json: text)
        } catch {
            throw .malformed
        }
    }

    private static func optionalTime(_ value: JSONTree) throws(SnapshotCodecError) -> Timestamp? {
        value == .null ? nil : try time(value)
    }
}
