/// Three nodes of a cluster of its own, on loopback, each with a third of the slots and none with a replica.
///
/// A slot whose node is gone doesn't stop the others. Safe from any thread. It lives until `stop`; `withRedisClusterTrio` sees
/// to that.
package final class RedisClusterTrio: Sendable {
    package let nodes: [RedisServer]
    private let ids: [String]

    package static func start() async throws -> RedisClusterTrio {
        var nodes: [RedisServer] = []
        do {
            for _ in 0..<3 {
                let settings = ["--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no"]
                nodes.append(
                    try await RedisServer.start(RedisServer.Options(isClusterNode: true, settings: settings)))
            }
            let bounds = [0, 5_461, 10_923, 16_384]
            for (place, node) in nodes.enumerated() {
                try node.cli("CLUSTER", "SET-CONFIG-EPOCH", "\(place + 1)")
                try node.cli("CLUSTER", "ADDSLOTSRANGE", "\(bounds[place])", "\(bounds[place + 1] - 1)")
                if place > 0 {
                    try nodes[0].cli(
                        "CLUSTER", "MEET", "127.0.0.1", "\(node.port)", "\(node.busPort ?? 0)")
                }
            }
            let trio = RedisClusterTrio(nodes, try nodes.map { try $0.cli("CLUSTER", "MYID") })
            guard await eventually(within: .seconds(15), { trio.isAgreed }) else {
                throw RedisServerProblem.notReady(log: nodes[0].log)
            }
            return trio
        } catch {
            RedisClusterTrio(nodes, []).stop()
            throw error
        }
    }

    private init(_ nodes: [RedisServer], _ ids: [String]) {
        self.nodes = nodes
        self.ids = ids
    }

    /// The URL that leads to these nodes.
    package func url(_ places: [Int] = [0, 1, 2]) -> String {
        "redis+cluster://" + places.map { "127.0.0.1:\(nodes[$0].port)" }.joined(separator: ",")
    }

    /// The node that a slot belongs to at the start.
    package func place(ofSlot slot: Int) -> Int { slot <= 5_460 ? 0 : slot <= 10_922 ? 1 : 2 }

    /// Tells both nodes that the slot moves; its keys stay where they are until `moveKeys`.
    package func beginMove(ofSlot slot: Int, from: Int, to: Int) throws {
        try nodes[to].cli("CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", ids[from])
        try nodes[from].cli("CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", ids[to])
    }

    /// Moves up to `count` keys of the slot; returns how many there were.
    package func moveKeys(ofSlot slot: Int, from: Int, to: Int, count: Int) throws -> Int {
        let text = try nodes[from].cli("CLUSTER", "GETKEYSINSLOT", "\(slot)", "\(count)")
        let keys = text.split(separator: "\n").map(String.init)
        guard !keys.isEmpty else { return 0 }
        try move(keys, from: from, to: to)
        return keys.count
    }

    /// Moves these keys, all of one slot; false if any wasn't there.
    @discardableResult
    package func move(_ keys: [String], from: Int, to: Int) throws -> Bool {
        let reply = try nodes[from].session().send(
            ["MIGRATE", "127.0.0.1", "\(nodes[to].port)", "", "0", "5000", "KEYS"] + keys)
        return reply == "OK"
    }

    /// Gives the slot to a node, in the order in which it is told to do it: the new owner first.
    package func endMove(ofSlot slot: Int, to: Int) throws {
        for place in [to] + nodes.indices.filter({ $0 != to }) {
            // A node that is gone learns it when it's back.
            _ = try? nodes[place].cli("CLUSTER", "SETSLOT", "\(slot)", "NODE", ids[to])
        }
    }

    package func stop() {
        for node in nodes {
            node.stop()
            node.removeDirectory()
        }
    }

    private var isAgreed: Bool {
        nodes.allSatisfy { node in
            guard let text = try? node.cli("CLUSTER", "INFO") else { return false }
            return text.contains("cluster_state:ok") && text.contains("cluster_known_nodes:3")
                && text.contains("cluster_slots_ok:16384")
        }
    }
}

/// Runs `body` with a trio of its own, which is gone afterwards.
package func withRedisClusterTrio<T>(_ body: (RedisClusterTrio) async throws -> T) async throws -> T {
    let trio = try await RedisClusterTrio.start()
    defer { trio.stop() }
    return try await body(trio)
}
