/// One request, as far as the simulated upstream looks at it.
struct UpstreamRequest: Sendable {
    var method = "GET"
    /// Path and query as they came.
    var target: String
    var authorization: String?
    var apiKey: String?
    var body: [UInt8] = []
    /// The client's address, to which anonymous limits belong.
    var peer = "127.0.0.1"
    var connection: UInt64 = 0

    /// Without the query, as it came.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// The path's parts, decoded.
    var segments: [String] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(Self.decoded)
    }

    /// The first value of a query parameter; nil if it is absent or empty.
    func parameter(_ name: String) -> String? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        for part in target[target.index(after: mark)...].split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, Self.decoded(pair[0]) == name, !pair[1].isEmpty else { continue }
            return Self.decoded(Substring(pair[1].map { $0 == "+" ? " " : $0 }))
        }
        return nil
    }

    /// Percent-decoded; as it came if the escapes are broken.
    private static func decoded(_ text: Substring) -> String {
        guard text.contains("%") else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let escape = String(rest.prefix(2)), escape.utf8.count == 2,
                let value = UInt8(escape, radix: 16)
            else { return String(text) }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
