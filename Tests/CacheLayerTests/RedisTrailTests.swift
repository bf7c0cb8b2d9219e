import Testing

@testable import CacheLayer

/// Where to go next: on a cluster, and by what sentinels say.
@Suite("The way to the right Redis")
struct RedisTrailTests {
    private typealias Node = RedisEndpoint.Node

    private static let a = RedisEndpoint.Node(host: "a", port: 1)
    private static let b = RedisEndpoint.Node(host: "b", port: 2)
    private static let c = RedisEndpoint.Node(host: "c", port: 3)

    private static func text(_ text: String) -> RedisReply { .string(Array(text.utf8)) }

    private static func range(
        _ first: Int64, _ last: Int64, _ host: RedisReply, _ port: Int64, _ id: String
    ) -> RedisReply {
        .array([.integer(first), .integer(last), .array([host, .integer(port), text(id), .array([])])])
    }

    private static let slots = RedisReply.array([
        range(0, 99, text("a"), 1, "ida"), range(100, 16_383, text("b"), 2, "idb"),
    ])

    @Test("a cluster's map names the owner of a slot; a host that isn't told is the one asked")
    func map() throws {
        let map = try #require(RedisClusterMap(Self.slots))
        #expect(map.owner(of: 99)?.master == Self.a && map.owner(of: 100)?.master == Self.b)
        let hidden = RedisReply.array([
            Self.range(0, 5, .null, 7, "x"), Self.range(6, 6, Self.text("?"), 7, "x"),
        ])
        #expect(RedisClusterMap(hidden)?.ranges.allSatisfy { $0.master.host.isEmpty } == true)
        #expect(RedisClusterMap(hidden)?.owner(of: 7) == nil)
        let broken: [RedisReply] = [
            .null, Self.text("x"), .array([.null]), .array([Self.range(5, 4, Self.text("a"), 1, "x")]),
            .array([Self.range(0, 16_384, Self.text("a"), 1, "x")]),
            .array([Self.range(0, 1, Self.text("a"), 0, "x")]), .array([.array([.integer(1), .integer(2)])]),
        ]
        for reply in broken { #expect(RedisClusterMap(reply) == nil) }
    }

    @Test("goes from node to node until one says that the slot is its own, and comes back to it")
    func follows() {
        var trail = RedisClusterTrail(seeds: [Self.a], slot: 100)
        let first = trail.next()
        #expect(first == Self.a)
        let there = trail.arrived(at: Self.a, id: Self.text("ida"), slots: Self.slots)
        #expect(there == .go(Self.b))
        let own = trail.arrived(at: Self.b, id: Self.text("idb"), slots: Self.slots)
        #expect(own == .stay)
        // The link is lost: the same node first, then all that are known, in turn.
        let places = (0..<5).map { _ in trail.next() }
        #expect(places == [Self.b, Self.a, Self.b, Self.a, Self.b])
    }

    @Test("a redirect is where the next try begins; without a host it's the same machine")
    func redirected() {
        var trail = RedisClusterTrail(seeds: [Self.a], slot: 1)
        trail.redirected(to: Self.c, from: "a")
        let told = trail.next()
        #expect(told == Self.c)
        trail.redirected(to: Node(host: "", port: 9), from: "a")
        let same = trail.next()
        #expect(same == Node(host: "a", port: 9))
    }

    @Test("two nodes that point at each other are left after a few visits")
    func circle() {
        var trail = RedisClusterTrail(seeds: [Self.a], slot: 0)
        _ = trail.next()
        var steps: [RedisClusterTrail.Step] = []
        for _ in 0..<4 {
            steps.append(trail.arrived(at: Self.c, id: Self.text("other"), slots: Self.slots))
        }
        #expect(steps == [.go(Self.a), .go(Self.a), .go(Self.a), .giveUp(.slotUnserved)])
        _ = trail.next()
        let again = trail.arrived(at: Self.c, id: Self.text("other"), slots: Self.slots)
        #expect(again == .go(Self.a))
    }

    @Test("a slot that nobody serves, a server that is no node, an account that may not ask")
    func odd() {
        var trail = RedisClusterTrail(seeds: [Self.a], slot: 7)
        let empty = trail.arrived(at: Self.a, id: Self.text("x"), slots: .array([]))
        #expect(empty == .giveUp(.slotUnserved))
        let disabled = RedisReply.error(prefix: "ERR", message: "This instance has cluster support disabled")
        let single = trail.arrived(at: Self.a, id: disabled, slots: disabled)
        #expect(single == .giveUp(.notCluster))
        let forbidden = RedisReply.error(prefix: "NOPERM", message: "x")
        let led = trail.arrived(at: Self.c, id: forbidden, slots: forbidden)
        #expect(led == .stay)
        let byAddress = trail.arrived(at: Self.a, id: forbidden, slots: Self.slots)
        #expect(byAddress == .stay)
        var anywhere = RedisClusterTrail(seeds: [Self.c], slot: nil)
        let any = anywhere.arrived(at: Self.c, id: Self.text("x"), slots: Self.slots)
        #expect(any == .stay)
    }

    @Test("a sentinel's answer is the master's address and its epoch")
    func reports() {
        let address = RedisReply.array([Self.text("10.0.0.1"), Self.text("6379")])
        let details = RedisReply.array(
            ["name", "fx", "config-epoch", "12", "odd"].map { Self.text($0) })
        let node = Node(host: "10.0.0.1", port: 6_379)
        #expect(RedisSentinelReport(address: address, details: details) == .master(node, epoch: 12))
        let silent = RedisReply.error(prefix: "NOPERM", message: "x")
        #expect(RedisSentinelReport(address: address, details: silent) == .master(node, epoch: 0))
        #expect(RedisSentinelReport(address: .null, details: silent) == .unknown)
        #expect(
            RedisSentinelReport(address: .error(prefix: "NOAUTH", message: ""), details: .null)
                == .refused(.loginRefused("NOAUTH")))
        for reply in [
            RedisReply.array([Self.text("h"), Self.text("0")]), .array([Self.text("h")]), .integer(1),
            .array([Self.text(""), Self.text("1")]), .array([.null, .null]),
        ] { #expect(RedisSentinelReport(address: reply, details: .null) == .refused(.brokenProtocol)) }
    }

    @Test("a sentinel that is behind the others isn't believed, unless all are (R9)")
    func epochs() {
        var round = RedisSentinelRound()
        round.begin()
        let first = round.heard(.master(Self.a, epoch: 5))
        #expect(first == Self.a && round.epoch == 5)
        round.begin()
        let old = round.heard(.master(Self.b, epoch: 4))
        let unknown = round.heard(.unknown)
        let newer = round.heard(.master(Self.c, epoch: 6))
        #expect(old == nil && unknown == nil && newer == Self.c)
        // Sentinels that were set up anew begin at 0.
        round.begin()
        _ = round.heard(.master(Self.b, epoch: 0))
        _ = round.heard(.master(Self.a, epoch: 1))
        let best = round.end()
        #expect(best.node == Self.a && round.epoch == 1)
    }

    @Test("a round without a master says why: what was said weighs more than what could not be asked")
    func failures() {
        var round = RedisSentinelRound()
        round.begin()
        _ = round.heard(.unknown)
        round.failed(.unreachable)
        let known = round.end()
        #expect(known.node == nil && known.failure == .masterUnknown)
        round.begin()
        round.failed(.connectTimedOut)
        let silent = round.end()
        #expect(silent.failure == .connectTimedOut)
    }
}
