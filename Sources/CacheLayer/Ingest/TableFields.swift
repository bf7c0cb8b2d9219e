/// The fields of an answer's envelope, read one by one; counts what it can't use.
struct TableFields {
    private let root: JSONTree
    private let limits: IngestLimits
    var notes = IngestNotes()

    /// The names that are read here; all others are extras.
    static let known: Set<String> = [
        "result", "base", "source", "sources", "effective_at", "market_session", "timestamp",
        "data_updated_at", "rates", "notice",
    ]

    init(_ root: JSONTree, limits: IngestLimits) {
        self.root = root
        self.limits = limits
    }

    /// Upstream's class for the whole answer; `unknown` where it names none.
    mutating func source() -> Source {
        guard let name = limits.label(root["source"]) else {
            notes.add(.field)
            return Source(name: "unknown")
        }
        return Source(name: name)
    }

    mutating func marketSession() -> String? {
        guard let value = present("market_session") else { return nil }
        guard let text = limits.label(value) else {
            notes.add(.field)
            return nil
        }
        return text
    }

    /// When upstream made the answer: a text as it came, an integer as the date it means.
    mutating func timestamp() -> String? {
        guard let value = present("timestamp") else { return nil }
        guard let time = Timestamp(json: value, notBefore: IngestLimits.earliestData) else {
            notes.add(.field)
            return nil
        }
        return time.text
    }

    mutating func notice() -> String? {
        guard let value = present("notice") else { return nil }
        guard let text = value.string, text.utf8.count <= limits.notice else {
            notes.add(.field)
            return nil
        }
        return text
    }

    /// A map by symbol (`sources`, `effective_at`); nil where there is none.
    ///
    /// Names that are no codes are left out: no rate can ask for them.
    mutating func map(_ name: String) -> [Currency: JSONTree]? {
        guard let value = present(name) else { return nil }
        guard let members = value.members else {
            notes.add(.field)
            return nil
        }
        var map: [Currency: JSONTree] = [:]
        for member in members {
            guard let currency = Currency(member.name) else { continue }
            map[currency] = member.value
        }
        return map
    }

    /// The fields that aren't `known` as JSON text, in the order they came, as many as the limit has room for.
    mutating func extras(besides known: Set<String> = Self.known) -> [RateTable.Extra] {
        var extras: [RateTable.Extra] = []
        var room = limits.extras
        for member in root.members ?? [] where !known.contains(member.name) {
            let json = member.value.encoded
            let size = json.count + member.name.utf8.count
            guard size <= room else {
                notes.add(.extraDropped)
                continue
            }
            room -= size
            extras.append(RateTable.Extra(name: member.name, json: String(decoding: json, as: UTF8.self)))
        }
        return extras
    }

    /// A field that is there and isn't null.
    private func present(_ name: String) -> JSONTree? {
        guard let value = root[name], value != .null else { return nil }
        return value
    }
}
