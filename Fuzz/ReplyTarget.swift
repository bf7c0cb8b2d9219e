import CHiredis

@testable import CacheLayer

/// What a server sends in Redis's place: through hiredis, its guard, and all that reads replies.
///
/// The first byte says whether a reply is awaited or a push, and where the rest is cut.
enum ReplyTarget {
    static func run(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let stream = Array(bytes.dropFirst())
        let isPush = first & 0x80 != 0
        let whole = ReplyReader.replies(of: [stream[...]], isPush: isPush)
        let cut = min(stream.count, Int(first & 0x7F))
        let pieces = ReplyReader.replies(of: [stream[..<cut], stream[cut...]], isPush: isPush)
        claim(pieces == whole, "cut at \(cut) \(pieces), in one piece \(whole)")
        for reply in whole.replies {
            claim(depth(of: reply) <= 9, "a reply \(depth(of: reply)) deep")
            if isPush { push(reply) } else { read(reply) }
        }
    }

    private static func depth(of reply: RedisReply) -> Int {
        guard case .array(let elements) = reply else { return 1 }
        return 1 + (elements.map(depth).max() ?? 0)
    }

    /// On a subscribed link the form of a push is the guard's to see to.
    private static func push(_ reply: RedisReply) {
        guard case .array(let parts) = reply else {
            if case .error = reply { return }
            fatalError("a push is \(reply)")
        }
        claim((2...3).contains(parts.count), "a push has \(parts.count) parts")
        guard case .string(let kind) = parts[0] else { fatalError("a push begins with \(parts[0])") }
        claim(["subscribe", "message", "pong"].contains(Parts.text(kind)), "a push is a \(Parts.text(kind))")
        if case .string(let body) = parts.last, parts.count == 3 { EventTarget.run(body) }
    }

    private static func read(_ reply: RedisReply) {
        if case .error(let prefix, let message) = reply {
            let error = RedisServerError(prefix: prefix, message: message)
            claimIsFit(error.prefix, atMost: 24)
            if let redirect = error.redirect {
                claim((0..<RedisSlot.count).contains(redirect.slot), "the slot \(redirect.slot)")
                claim((1...65_535).contains(redirect.node.port), "the port \(redirect.node.port)")
            }
        }
        _ = RedisRole(role: reply)
        _ = RedisRole(info: reply)
        if case .master(let node, _) = RedisSentinelReport(address: reply, details: reply) {
            claim((1...65_535).contains(node.port) && !node.host.isEmpty, "the master \(node)")
        }
        if let map = RedisClusterMap(reply) {
            for slot in [0, 5_000, RedisSlot.count - 1] { _ = map.owner(of: slot) }
        }
        reading(reply)
    }

    /// The reply to a read: whatever it says, the numbers are such that nothing runs over.
    private static func reading(_ reply: RedisReply) {
        guard let usd = Currency("USD"), case .array(let parts) = reply,
            let now = parts.first?.text.flatMap({ StoreNumber.read($0) })
        else { return }
        let resource = Resource.latest(base: usd)
        let question = StoreQuestion(resources: [resource], hasMembers: true)
        let steps = RedisReadSteps(keys: RedisKeys(fleet: "f", upstream: "u:1"), question: question).steps
        guard let replies = try? RedisReplies(Array(parts.dropFirst()), to: steps) else { return }
        var parser = RedisReadingParser(question: question, replies: replies)
        guard let (reading, _) = try? parser.reading(at: UnixMilliseconds(now)),
            case .record(let control) = reading.control
        else { return }
        let look = LookRequest(
            holder: "h", birth: control.birth, floor: .none,
            interests: [.init(resource: resource, held: nil)], plan: QuotaPlan(monthly: 10_000, perMinute: 60)
        )
        if let shadow = Decide.look(look, reading).answer.shadow { remember(shadow) }
    }

    /// What instances do with what they are told of the control.
    private static func remember(_ shadow: Shadow) {
        let numbers = [shadow.counted, shadow.reserved, shadow.plan, shadow.external, shadow.now.value]
        claim(numbers.allSatisfy(Bounds.counts.contains), "the numbers \(numbers)")
        let rests = shadow.cooldowns.map(\.rest) + shadow.refusals.map(\.rest) + shadow.flights.map(\.rest)
        claim(rests.allSatisfy { Bounds.counts.contains($0.milliseconds) }, "the rests \(rests)")
        var skew = RedisClockSkew()
        _ = skew.note(server: shadow.now, wall: .now, roundTrip: .milliseconds(1))
        _ = QuotaOutlook(shadow, QuotaPlan(monthly: 10_000, perMinute: 60))
        _ = Pace.interval(at: shadow.now, left: shadow.left, permille: 950)
        _ = shadow.nextAt.map { $0 - shadow.now }
    }
}
