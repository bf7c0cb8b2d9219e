/// The replies to a list of commands, taken in their order.
///
/// A value of another type answers with an error and reads as nothing; other errors never get here.
struct RedisReplies {
    private var rest: ArraySlice<RedisReply>

    init(_ replies: [RedisReply], to steps: [RedisStep]) throws(StoreError) {
        guard replies.count == steps.count else { throw .outcomeUnknown(.badReply) }
        rest = replies[...]
    }

    /// What the next command answered.
    mutating func next() throws(StoreError) -> RedisReply {
        guard let reply = rest.popFirst() else { throw .outcomeUnknown(.badReply) }
        return reply
    }

    mutating func texts() throws(StoreError) -> [String?]? {
        guard case .array(let elements) = try next() else { return nil }
        return elements.map(\.text)
    }

    mutating func integer() throws(StoreError) -> Int64 {
        guard case .integer(let number) = try next() else { return 0 }
        return number
    }

    mutating func text() throws(StoreError) -> String? { try next().text }

    /// A sorted set's members with their scores in whole numbers; others are left out.
    mutating func scores() throws(StoreError) -> [(member: String, score: Int64)] {
        let words = (try texts() ?? []).compactMap(\.self)
        return stride(from: 0, to: words.count - 1, by: 2).compactMap { place in
            StoreNumber.read(words[place + 1]).map { (words[place], $0) }
        }
    }
}

extension RedisReply {
    /// A text; nil for anything else.
    var text: String? {
        switch self {
        case .string(let bytes): String(decoding: bytes, as: UTF8.self)
        case .status(let word): word
        case .integer(let number): String(number)
        case .array, .null, .error: nil
        }
    }
}
