/// Compact JSON, written by hand so that key order and digits are exactly the ones wanted.
enum JSONText {
    /// A string with quotes and escapes.
    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// An object of members whose values are JSON already.
    static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { quoted($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
    }

    /// An array of values that are JSON already.
    static func array(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }
}
