import Testing

@testable import CacheLayer

/// What is decided by values alone: slots, redirects, errors by shape, retries, roles.
@Suite("The Redis client's decisions in each shape")
struct RedisShapeTests {
    private typealias Node = RedisEndpoint.Node

    @Test(
        "a key's slot is the cluster's",
        arguments: [
            ("123456789", 12_739), ("foo", 12_182), ("bar", 5_061), ("", 0), ("{bar}foo", 5_061),
            ("foo{bar}{zap}", 5_061), ("{foo}{bar}", 12_182), ("a{bar}", 5_061),
        ])
    func slots(key: String, slot: Int) { #expect(RedisSlot.of(key) == slot) }

    @Test("empty or open braces are no hash tag; all keys of a fleet share a slot")
    func tags() {
        for key in ["foo{}{bar}", "foo{bar", "}foo{"] { #expect(RedisSlot.of(key) != RedisSlot.of("bar")) }
        #expect(RedisSlot.of("foo{{bar}}zap") == RedisSlot.of("{bar"))
        let keys = RedisKeys(fleet: "f}{x", upstream: "[::1]:1")
        let names = [keys.control, keys.cooldown, keys.events, keys.snapshot(of: StoreBench.usd)]
        #expect(Set(names.map(RedisSlot.of)).count == 1)
    }

    @Test("a redirect is read, also with an IPv6 host or none")
    func redirects() throws {
        let plain = try #require(RedisRedirect(parsing: "12162 127.0.0.1:17003"))
        #expect(plain.slot == 12_162 && plain.node == Node(host: "127.0.0.1", port: 17_003))
        #expect(RedisRedirect(parsing: "0 ::1:7")?.node == Node(host: "::1", port: 7))
        #expect(RedisRedirect(parsing: "0 :7")?.node == Node(host: "", port: 7))
        #expect(RedisRedirect(parsing: "0 ?:7")?.node == Node(host: "", port: 7))
        for text in ["", "1", "1 h", "1 h:", "1 h:0", "1 h:65536", "16384 h:1", "-1 h:1", "x h:1", "1 h:1 y"]
        {
            #expect(RedisRedirect(parsing: text) == nil)
        }
    }

    @Test(
        "an error means for a link what its shape says (R7, C147)",
        arguments: [
            ("MOVED 5 h:1", RedisShape.cluster, .ends(.moved(to: RedisEndpoint.Node(host: "h", port: 1)))),
            ("MOVED nonsense", .cluster, .ends(.serverError("MOVED"))),
            ("MOVED 5 h:1", .single, .ends(.isCluster)), ("MOVED 5 h:1", .sentinel, .ends(.isCluster)),
            ("ASK nonsense", .cluster, .ends(.serverError("ASK"))),
            ("ASK 5 h:1", .single, .ends(.serverError("ASK"))), ("TRYAGAIN x", .cluster, .stays),
            ("TRYAGAIN x", .single, .ends(.serverError("TRYAGAIN"))),
            ("CLUSTERDOWN x", .cluster, .ends(.serverError("CLUSTERDOWN"))),
            ("READONLY x", .cluster, .ends(.serverError("READONLY"))),
            ("READONLY x", .sentinel, .ends(.serverError("READONLY"))),
            ("LOADING x", .sentinel, .ends(.serverError("LOADING"))),
            ("MASTERDOWN x", .sentinel, .ends(.serverError("MASTERDOWN"))),
            ("NOAUTH x", .single, .ends(.loginRefused("NOAUTH"))), ("NOPERM x", .single, .stays),
            ("ERR max number of clients reached", .single, .ends(.serverError("MAXCLIENTS"))),
            ("OOM x", .single, .stays), ("WRONGTYPE x", .cluster, .stays),
        ] as [(String, RedisShape, RedisServerError.Consequence)])
    func consequences(line: String, shape: RedisShape, expected: RedisServerError.Consequence) {
        #expect(Self.error(line)?.consequence(in: shape) == expected)
    }

    @Test("ASK in a cluster sends one command elsewhere")
    func asks() {
        guard case .asks(let redirect) = Self.error("ASK 5 h:1")?.consequence(in: .cluster) else {
            Issue.record("not sent on")
            return
        }
        #expect(redirect.node == Node(host: "h", port: 1))
    }

    @Test(
        "what ended a script on Redis before 7 is found inside its error",
        arguments: [
            (
                "ERR Error running script (call to f_a): @user_script:1: @user_script: 1: "
                    + "-READONLY You can't write against a read only replica.",
                StoreError.notExecuted(.serverError("READONLY"))
            ),
            (
                "ERR Error running script (call to f_a): @user_script:9: @user_script: 9: "
                    + "-OOM command not allowed when used memory > 'maxmemory'.", .writesRefused
            ),
            ("ERR user_script:2: -MISCONF Redis is configured", .writesRefused),
            ("ERR user_script:2: WRONGTYPE READONLY", .outcomeUnknown(.serverError("ERR"))),
            ("ERR nothing of a script: -READONLY x", .outcomeUnknown(.serverError("ERR"))),
            ("ERR Error running script: attempt to index a nil value", .outcomeUnknown(.serverError("ERR"))),
        ])
    func scriptErrors(line: String, expected: StoreError) {
        #expect(Self.error(line)?.storeError == expected)
    }

    @Test("a request without effect is sent once more over the next link, and waits for a slot that moves")
    func retries() {
        var retry = RedisRetry()
        var steps: [RedisRetry.Step] = []
        for fault in ["TRYAGAIN", "ASK", "MOVED", "TRYAGAIN", "TRYAGAIN", "TRYAGAIN", "TRYAGAIN", "MOVED"] {
            steps.append(retry.next(after: .serverError(fault)))
        }
        let pauses = [10, 20, 40, 80, 160].map { RedisRetry.Step.after(.milliseconds($0)) }
        let expected: [RedisRetry.Step] =
            [pauses[0], pauses[1], .overNextLink, pauses[2], pauses[3], pauses[4], .giveUp, .giveUp]
        #expect(steps == expected)
        for fault in [StoreFault.notConnected, .breakerOpen, .closed] {
            var fresh = RedisRetry()
            let step = fresh.next(after: fault)
            #expect(step == .giveUp)
        }
    }

    @Test("a role is told by ROLE, else by INFO, else unknown (R18)")
    func roles() {
        let word = { (text: String) in RedisReply.string(Array(text.utf8)) }
        #expect(RedisRole(role: .array([word("master"), .integer(0), .array([])])) == .master)
        for other in ["slave", "sentinel", ""] { #expect(RedisRole(role: .array([word(other)])) == .other) }
        #expect(RedisRole(role: .error(prefix: "NOPERM", message: "")) == .untold)
        #expect(RedisRole(info: word("# Replication\r\nrole:master\r\nx:1\r\n")) == .master)
        #expect(RedisRole(info: word("role:slave\r\n")) == .other)
        #expect(RedisRole(info: word("")) == .untold)
        #expect(RedisRole(info: .error(prefix: "NOPERM", message: "")) == .untold)
    }

    @Test("the server's clock is worth a word beyond 2 s, when that changes much, and when it ends")
    func skew() {
        var skew = RedisClockSkew()
        let wall = UnixMilliseconds(1_000_000)
        func note(_ milliseconds: Int64, _ roundTrip: Duration = .zero) -> RedisClockSkew.Word {
            skew.note(
                server: UnixMilliseconds(wall.value + milliseconds), wall: wall, roundTrip: roundTrip)
        }
        let words = [0, 2_000, -2_000, 2_001, 2_500, 3_900, 4_200, 60_000, 61_000, -3_000, -2_100, 500, -500]
            .map { note($0) }
        #expect(
            words == [
                .nothing, .nothing, .nothing, .warning, .nothing, .nothing, .warning, .warning, .nothing,
                .warning, .nothing, .settled, .nothing,
            ])
        // Half of the round trip belongs to the way back, and is as uncertain.
        let late = note(-1_000, .seconds(2))
        #expect(late == .nothing && skew.value == .zero)
        let vague = note(2_500, .seconds(2))
        #expect(vague == .warning && skew.value == .milliseconds(3_500))
    }

    static func error(_ line: String) -> RedisServerError? {
        guard case .error(let prefix, let message) = RedisReply.error(line: line) else { return nil }
        return RedisServerError(prefix: prefix, message: message)
    }
}
