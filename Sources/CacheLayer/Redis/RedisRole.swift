/// Whether a server is a master, by what it says.
enum RedisRole: Hashable {
    case master
    case other
    /// It doesn't say: the account may not ask.
    case untold

    /// Reads the reply to `ROLE`.
    init(role reply: RedisReply) {
        switch reply {
        case .array(let parts): self = parts.first == .string(Array("master".utf8)) ? .master : .other
        default: self = .untold
        }
    }

    /// Reads the reply to `INFO replication`.
    init(info reply: RedisReply) {
        switch RedisInfo(reply)?["role"] {
        case "master": self = .master
        case nil: self = .untold
        default: self = .other
        }
    }
}
