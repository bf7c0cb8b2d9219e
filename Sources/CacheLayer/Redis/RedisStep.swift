/// One command that a script runs.
struct RedisStep: Hashable, Sendable {
    let words: [[UInt8]]

    init(_ words: String...) { self.words = words.map { Array($0.utf8) } }

    init(words: [[UInt8]]) { self.words = words }

    /// A hash's fields, with a body of any bytes at the end.
    init(hset key: String, _ fields: [(String, String)], body: [UInt8]? = nil) {
        var words = ["HSET", key].map { Array($0.utf8) }
        for (name, value) in fields { words += [Array(name.utf8), Array(value.utf8)] }
        if let body { words += [Array("body".utf8), body] }
        self.words = words
    }

    /// The command's name, for errors.
    var name: String { words.first.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// The key that it names; nil for a message.
    var key: String? {
        guard name != "PUBLISH", words.count > 1 else { return nil }
        return String(decoding: words[1], as: UTF8.self)
    }

    /// As a script takes it.
    var arguments: [[UInt8]] { [Array(String(words.count).utf8)] + words }
}

extension [RedisStep] {
    /// Every key that the commands name, once, after those that come first.
    func keys(after first: [String]) -> [String] {
        var keys = first
        for key in compactMap(\.key) where !keys.contains(key) { keys.append(key) }
        return keys
    }
}
