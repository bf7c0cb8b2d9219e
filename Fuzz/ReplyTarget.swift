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
        guard let parts = ScriptsReply(reply) else { return }
        script(parts)
    }

    /// The replies of our scripts: whatever they say, the numbers are such that nothing runs over.
    private static func script(_ parts: ScriptsReply) {
        guard let usd = Currency("USD") else { return }
        let resource = Resource.latest(base: usd)
        for place in parts.values.indices {
            claim(parts.number(place).map(Bounds.counts.contains) ?? true, "the number at \(place)")
        }
        if case .newer(let snapshot) = parts.begin(of: resource) { decode(snapshot) }
        switch parts.finish(of: resource) {
        case .fenced(let snapshot), .older(let snapshot): decode(snapshot)
        default: break
        }
        if let archived = parts.archivedSnapshot { decode(archived) }
        if let news = parts.archiveNews { ArchiveCounters().note(news) }
        _ = (parts.restore, parts.lift, parts.purge, parts.amend)
        _ = parts.look([.init(resource: resource, held: nil)])
        claim(Bounds.counts.contains(parts.garbage), "\(parts.garbage) pieces of garbage")
        if let shadow = parts.shadow { remember(shadow) }
    }

    private static func decode(_ stored: StoredSnapshot) {
        guard let snapshot = try? SnapshotCodec(policy: TierPolicy()).decode(stored) else { return }
        SnapshotTarget.claimComesBack(snapshot)
    }

    /// What instances do with what they are told of the control.
    private static func remember(_ shadow: Shadow) {
        let numbers = [shadow.used, shadow.reserved, shadow.plan, shadow.external, shadow.now.value]
        claim(numbers.allSatisfy(Bounds.counts.contains), "the numbers \(numbers)")
        let rests = shadow.cooldowns.map(\.rest) + shadow.refusals.map(\.rest) + shadow.flights.map(\.rest)
        claim(rests.allSatisfy { Bounds.counts.contains($0.milliseconds) }, "the rests \(rests)")
        let time = RateStoreTime { UnixMilliseconds(0) }
        time.told(shadow.now)
        for margin in [-3_600, 3_600] { _ = Month(containing: time.now + .seconds(margin)) }
        var skew = RedisClockSkew()
        _ = skew.note(server: shadow.now, wall: .now, roundTrip: .milliseconds(1))
        let plan = QuotaPlan(monthly: 10_000, perMinute: 60)
        _ = QuotaOutlook(shadow, plan)
        _ = Pace.interval(at: shadow.now, left: shadow.plan - shadow.used, permille: 950)
        _ = shadow.used * 10 < shadow.plan * 9
        _ = shadow.nextAt.map { $0 - shadow.now }
    }
}
