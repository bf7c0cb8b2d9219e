/// The fields of one object of a state file, each read strictly: what `StateCodec` didn't write is
/// `malformed`.
///
/// Unknown fields are left alone: newer versions may add some.
struct StateFields {
    private let values: [String: JSONTree]

    /// Counts, lengths and tokens: at most 15 digits, so that sums and products stay far from overflow.
    static let counts: ClosedRange<Int64> = 0...999_999_999_999_999

    init(_ tree: JSONTree?) throws(StateFileFault) {
        guard let members = tree?.members else { throw .malformed }
        values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// All fields, where each is a text; nil where one isn't.
    var texts: [String: String]? {
        var texts: [String: String] = [:]
        for (name, value) in values {
            guard let text = value.string else { return nil }
            texts[name] = text
        }
        return texts
    }

    func integer(_ name: String, in range: ClosedRange<Int64> = counts) throws(StateFileFault) -> Int64 {
        try Self.integer(values[name], in: range)
    }

    func optionalInteger(_ name: String) throws(StateFileFault) -> Int64? {
        guard try isThere(name) else { return nil }
        return try integer(name)
    }

    func milliseconds(_ name: String) throws(StateFileFault) -> Duration { .milliseconds(try integer(name)) }

    func instant(_ name: String) throws(StateFileFault) -> UnixMilliseconds {
        UnixMilliseconds(try integer(name, in: SnapshotCodecFields.instants))
    }

    func flag(_ name: String) throws(StateFileFault) -> Bool {
        guard case .bool(let isTrue) = values[name] else { throw .malformed }
        return isTrue
    }

    func text(_ name: String) throws(StateFileFault) -> String {
        guard let text = values[name]?.string else { throw .malformed }
        return text
    }

    /// A short text of plain characters: a name, a word, hexadecimal digits.
    func word(_ name: String) throws(StateFileFault) -> String {
        let word = try text(name)
        guard !word.isEmpty, word.utf8.count <= 256, word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .malformed
        }
        return word
    }

    func month(_ name: String) throws(StateFileFault) -> Month {
        guard let month = Month(text: try text(name)) else { throw .malformed }
        return month
    }

    func optionalMonth(_ name: String) throws(StateFileFault) -> Month? {
        guard try isThere(name) else { return nil }
        return try month(name)
    }

    func resource(_ name: String) throws(StateFileFault) -> Resource {
        guard let resource = Resource(name: try text(name)) else { throw .malformed }
        return resource
    }

    func scope(_ name: String) throws(StateFileFault) -> CooldownScope {
        guard let scope = CooldownScope(rawValue: try text(name)) else { throw .malformed }
        return scope
    }

    /// The marks of refused keys; none in a file of an older version.
    func keys() throws(StateFileFault) -> [KeyMark] {
        guard values["keys"] != nil else { return [] }
        var keys: [KeyMark] = []
        for tree in try list("keys", most: CooldownRecord.attemptsKept) {
            guard let text = tree.string, !text.isEmpty, text.utf8.count <= 16 else { throw .malformed }
            keys.append(KeyMark(stored: text))
        }
        return keys
    }

    /// A field that files of an older version don't have; nil there and where it is null.
    func newerInteger(_ name: String) throws(StateFileFault) -> Int64? {
        guard values[name] != nil else { return nil }
        return try optionalInteger(name)
    }

    /// The same for a list, which is empty there.
    func newerList(_ name: String, most: Int) throws(StateFileFault) -> [JSONTree] {
        guard values[name] != nil else { return [] }
        return try list(name, most: most)
    }

    func object(_ name: String) throws(StateFileFault) -> StateFields { try StateFields(values[name]) }

    /// Nil where the field is null.
    func optionalObject(_ name: String) throws(StateFileFault) -> StateFields? {
        guard try isThere(name) else { return nil }
        return try object(name)
    }

    /// At most `most` entries.
    func list(_ name: String, most: Int) throws(StateFileFault) -> [JSONTree] {
        guard let elements = values[name]?.elements, elements.count <= most else { throw .malformed }
        return elements
    }

    /// Nil where the field is null.
    func optionalList(_ name: String, most: Int) throws(StateFileFault) -> [JSONTree]? {
        guard try isThere(name) else { return nil }
        return try list(name, most: most)
    }

    static func integer(
        _ value: JSONTree?, in range: ClosedRange<Int64> = counts
    ) throws(StateFileFault) -> Int64 {
        guard let text = value?.number, let integer = Int64(text), range.contains(integer) else {
            throw .malformed
        }
        return integer
    }

    /// Whether it has a value; a field that is missing altogether is malformed.
    private func isThere(_ name: String) throws(StateFileFault) -> Bool {
        guard let value = values[name] else { throw .malformed }
        return value != .null
    }
}
