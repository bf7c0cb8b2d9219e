/// What one sentinel says of the master.
enum RedisSentinelReport: Hashable {
    /// Its address, and the number of the decision that made it the master: higher for each failover.
    case master(RedisEndpoint.Node, epoch: Int64)
    /// The sentinel watches no master of this name.
    case unknown
    /// The sentinel may not, or can't, say.
    case refused(RedisLinkEnd)

    /// Reads the replies to `SENTINEL GET-MASTER-ADDR-BY-NAME` and `SENTINEL MASTER`.
    ///
    /// The first names the new master earlier, while a failover is still being told to the replicas; only the second has
    /// the epoch. Without the second, the epoch is 0.
    init(address: RedisReply, details: RedisReply) {
        switch address {
        case .array(let parts):
            guard parts.count == 2, case .string(let host) = parts[0], case .string(let digits) = parts[1],
                let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port),
                (1...253).contains(host.count)
            else {
                self = .refused(.brokenProtocol)
                return
            }
            let node = RedisEndpoint.Node(host: String(decoding: host, as: UTF8.self), port: port)
            self = .master(node, epoch: Self.epoch(in: details))
        case .null: self = .unknown
        case .error(let prefix, let message):
            let error = RedisServerError(prefix: prefix, message: message)
            self = .refused(
                error.effect == .refusesLogin ? .loginRefused(error.prefix) : .serverError(error.prefix))
        case .string, .integer, .status: self = .refused(.brokenProtocol)
        }
    }

    private static func epoch(in details: RedisReply) -> Int64 {
        guard case .array(let fields) = details else { return 0 }
        for place in stride(from: 0, to: fields.count - 1, by: 2)
        where fields[place] == .string(Array("config-epoch".utf8)) {
            guard case .string(let digits) = fields[place + 1] else { return 0 }
            return Int64(String(decoding: digits, as: UTF8.self)) ?? 0
        }
        return 0
    }
}
