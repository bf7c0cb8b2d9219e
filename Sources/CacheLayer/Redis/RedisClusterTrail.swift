/// Which node of a cluster to go to next on the way to the one that serves our slot.
///
/// No clock, no I/O. The node that served last, or that a redirect names, comes first; then all that are known, in turn.
struct RedisClusterTrail {
    /// What to do at a node, by what it says.
    enum Step: Hashable {
        case stay
        case go(RedisEndpoint.Node)
        case giveUp(RedisLinkEnd)
    }

    /// Nodes visited in one try, before a pause: two that point at each other must not be asked for ever.
    private static let mostHops = 4

    private let seeds: [RedisEndpoint.Node]
    private let slot: Int?
    private var known: [RedisEndpoint.Node] = []
    private var hint: RedisEndpoint.Node?
    private var last: RedisEndpoint.Node?
    private var turn = 0
    private var hops = 0

    /// Without a `slot` any node will do.
    init(seeds: [RedisEndpoint.Node], slot: Int?) {
        self.seeds = seeds
        self.slot = slot
    }

    /// Where a new try begins.
    mutating func next() -> RedisEndpoint.Node? {
        hops = 0
        if let hint {
            self.hint = nil
            last = hint
            return hint
        }
        let all = known + seeds.filter { !known.contains($0) }
        guard !all.isEmpty else { return nil }
        // Not the one that has just failed.
        if all.count > 1, all[turn % all.count] == last { turn += 1 }
        defer { turn += 1 }
        last = all[turn % all.count]
        return last
    }

    /// Notes that a node has sent us to another; the next try begins there.
    mutating func redirected(to node: RedisEndpoint.Node, from host: String) {
        hint = Self.filled(node, host)
    }

    /// Weighs what a node says of itself and of the slots: the replies to `CLUSTER MYID` and `CLUSTER SLOTS`.
    mutating func arrived(at node: RedisEndpoint.Node, id: RedisReply, slots: RedisReply) -> Step {
        hops += 1
        guard let map = RedisClusterMap(slots) else {
            // An account that may not ask is led by MOVED alone.
            if case .error(let prefix, _) = slots, prefix == "NOPERM" { return settled(at: node) }
            return .giveUp(.notCluster)
        }
        known = map.ranges.reduce(into: []) { list, range in
            let master = Self.filled(range.master, node.host)
            if !list.contains(master) { list.append(master) }
        }
        guard let slot else { return settled(at: node) }
        guard let owner = map.owner(of: slot) else { return .giveUp(.slotUnserved) }
        let target = Self.filled(owner.master, node.host)
        if case .string(let own) = id, String(decoding: own, as: UTF8.self) == owner.id {
            return settled(at: node)
        }
        // Without an own id, the address has to tell.
        if case .error = id, target == node { return settled(at: node) }
        return hops < Self.mostHops ? .go(target) : .giveUp(.slotUnserved)
    }

    private mutating func settled(at node: RedisEndpoint.Node) -> Step {
        hint = node
        return .stay
    }

    private static func filled(_ node: RedisEndpoint.Node, _ host: String) -> RedisEndpoint.Node {
        node.host.isEmpty ? RedisEndpoint.Node(host: host, port: node.port) : node
    }
}
