/// What a stream can tell of; the raw value is its name in `events=` and the event's own.
enum StreamKind: String, CaseIterable, Hashable, Sendable {
    /// A snapshot was adopted.
    case snapshot
    /// A pause of upstream calls has begun, was moved, or has ended.
    case cooldown

    /// Reads the decoded value of `events=`: names with commas between them.
    ///
    /// - Throws: a 400 that names the item that is none.
    static func parse(_ value: [UInt8]) throws(Problem) -> Set<StreamKind> {
        var kinds: Set<StreamKind> = []
        for item in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let kind = StreamKind(rawValue: String(decoding: item, as: UTF8.self)) else {
                throw .malformed("events", item, "snapshot or cooldown")
            }
            kinds.insert(kind)
        }
        return kinds
    }
}
