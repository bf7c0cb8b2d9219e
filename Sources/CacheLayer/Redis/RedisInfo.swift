/// The lines of a reply to `INFO`, by their names.
struct RedisInfo {
    private let values: [String: String]

    /// Nil for a reply that is no text.
    init?(_ reply: RedisReply) {
        guard case .string(let bytes) = reply else { return nil }
        var values: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            values[String(line[..<colon])] = String(line[line.index(after: colon)...])
        }
        self.values = values
    }

    subscript(name: String) -> String? { values[name] }
}
