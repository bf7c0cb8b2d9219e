/// Who serves which slots, as one node of a cluster tells it.
struct RedisClusterMap: Hashable {
    struct Range: Hashable {
        let slots: ClosedRange<Int>
        /// The node that takes writes; an empty host is the one that was asked.
        let master: RedisEndpoint.Node
        let id: String
    }

    let ranges: [Range]

    /// Reads the reply to `CLUSTER SLOTS`; nil for one of another form.
    init?(_ reply: RedisReply) {
        guard case .array(let entries) = reply else { return nil }
        var ranges: [Range] = []
        for entry in entries {
            guard case .array(let fields) = entry, fields.count >= 3, case .integer(let first) = fields[0],
                case .integer(let last) = fields[1], first >= 0, first <= last, last < RedisSlot.count,
                case .array(let node) = fields[2], node.count >= 3, case .integer(let port) = node[1],
                (1...65_535).contains(port), case .string(let id) = node[2]
            else { return nil }
            // Null, or a question mark: a node that doesn't know how it is reached.
            var host = ""
            if case .string(let name) = node[0], name != [UInt8(ascii: "?")] {
                host = String(decoding: name, as: UTF8.self)
            }
            ranges.append(
                Range(
                    slots: Int(first)...Int(last),
                    master: RedisEndpoint.Node(host: host, port: Int(port)),
                    id: String(decoding: id, as: UTF8.self)))
        }
        self.ranges = ranges
    }

    /// Who serves the slot; nil if nobody does.
    func owner(of slot: Int) -> Range? { ranges.first { $0.slots.contains(slot) } }
}
