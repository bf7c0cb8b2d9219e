import CHiredis

extension RedisReply {
    /// Copies a reply of hiredis; nil for a type that RESP2 doesn't have.
    ///
    /// The guard of the link has bounded depth and size before; hiredis keeps the original.
    init?(_ reply: UnsafePointer<redisReply>) {
        switch reply.pointee.type {
        case REDIS_REPLY_STRING: self = .string(Self.bytes(of: reply))
        case REDIS_REPLY_STATUS: self = .status(String(decoding: Self.bytes(of: reply), as: UTF8.self))
        case REDIS_REPLY_INTEGER: self = .integer(Int64(reply.pointee.integer))
        case REDIS_REPLY_NIL: self = .null
        case REDIS_REPLY_ERROR:
            self = .error(line: String(decoding: Self.bytes(of: reply), as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            var elements: [RedisReply] = []
            elements.reserveCapacity(Int(reply.pointee.elements))
            for index in 0..<Int(reply.pointee.elements) {
                guard let pointer = reply.pointee.element[index], let element = RedisReply(pointer) else {
                    return nil
                }
                elements.append(element)
            }
            self = .array(elements)
        default: return nil
        }
    }

    /// Splits an error's line; what doesn't begin with a word of capital letters has the prefix `ERR`.
    static func error(line: String) -> RedisReply {
        let word = line.prefix { $0 != " " }
        let isPrefix =
            (1...24).contains(word.utf8.count)
            && word.utf8.allSatisfy { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
        guard isPrefix else { return .error(prefix: "ERR", message: line) }
        return .error(prefix: String(word), message: String(line.dropFirst(word.count + 1)))
    }

    private static func bytes(of reply: UnsafePointer<redisReply>) -> [UInt8] {
        guard let text = reply.pointee.str else { return [] }
        return Array(UnsafeRawBufferPointer(start: text, count: Int(reply.pointee.len)))
    }
}
