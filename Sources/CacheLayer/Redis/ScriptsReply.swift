/// A script's reply, taken apart: a word, its values, the shadow.
struct ScriptsReply {
    let kind: String
    let values: [[UInt8]]
    /// Nil where the control is lost.
    let shadow: Shadow?
    /// Snapshots that were there and could not be read.
    let garbage: Int64

    /// Nil for anything of another form.
    init?(_ reply: RedisReply) {
        guard case .array(let parts) = reply, parts.count == 3, case .string(let word) = parts[0] else {
            return nil
        }
        guard let values = Self.strings(parts[1]), let told = Self.strings(parts[2]) else { return nil }
        kind = String(decoding: word, as: UTF8.self)
        self.values = values
        if told.isEmpty {
            shadow = nil
            garbage = 0
        } else {
            let instances = kind == "seen" ? values.first.flatMap(Self.number) : nil
            guard let shadow = Self.shadow(told, instances: instances) else { return nil }
            self.shadow = shadow
            garbage = Self.number(told[8]) ?? 0
        }
    }

    /// The number at a place, within `StoreNumber.range`; nil if it isn't there or isn't one.
    func number(_ place: Int) -> Int64? {
        values.indices.contains(place) ? Self.number(values[place]) : nil
    }

    /// The milliseconds at a place.
    func duration(_ place: Int) -> Duration? { number(place).map { .milliseconds($0) } }

    func text(_ place: Int) -> String? {
        values.indices.contains(place) ? String(decoding: values[place], as: UTF8.self) : nil
    }

    /// The snapshot that a reply carries.
    func snapshot(of resource: Resource) -> StoredSnapshot? {
        guard values.count >= 7, let id = text(0).flatMap({ SnapshotID(parsing: $0) }),
            let token = number(1), let fetchedAt = number(2), let dataTime = number(3), let source = text(4),
            let keepFor = duration(5)
        else { return nil }
        return StoredSnapshot(
            resource: resource, id: id, token: FencingToken(token), fetchedAt: UnixMilliseconds(fetchedAt),
            dataTime: UnixMilliseconds(dataTime), source: Source(name: source), body: values[6],
            keepFor: keepFor)
    }

    private static func shadow(_ told: [[UInt8]], instances: Int64?) -> Shadow? {
        guard told.count >= head, (told.count - head).isMultiple(of: group), let now = number(told[0]),
            let epoch = number(told[2]), let used = number(told[4]), let reserved = number(told[5]),
            let plan = number(told[6]), let purged = number(told[9]), let external = number(told[10]),
            let slowLevel = number(told[11])
        else { return nil }
        var cooldowns: [Shadow.Cooldown] = []
        var refusals: [Shadow.Refusal] = []
        var flights: [Shadow.Flight] = []
        var members: [Shadow.Member] = []
        for place in stride(from: head, to: told.count, by: group) {
            let words = told[place..<(place + group)].map { String(decoding: $0, as: UTF8.self) }
            guard let rest = number(told[place + 1]), let count = number(told[place + 2]) else {
                return nil
            }
            if words[0] == "flight" || words[0] == "slot" {
                guard let resource = Resource(name: words[3]) else { continue }
                flights.append(
                    Shadow.Flight(
                        resource: resource, holder: words[4], token: FencingToken(count),
                        rest: .milliseconds(rest), isSettled: words[0] == "slot"))
                continue
            }
            if words[0] == "member" {
                members.append(Shadow.Member(name: words[3], idle: .milliseconds(rest)))
                continue
            }
            if words[0] == "refused" {
                refusals.append(
                    Shadow.Refusal(
                        kind: words[3], key: KeyMark(stored: words[4]), rest: .milliseconds(rest),
                        strikes: count))
                continue
            }
            guard let scope = CooldownScope(rawValue: words[0]) else { return nil }
            cooldowns.append(
                Shadow.Cooldown(
                    scope: scope, rest: .milliseconds(rest), strikes: count, reason: words[3],
                    keys: words[4].split(separator: " ").map { KeyMark(stored: $0) }))
        }
        return Shadow(
            now: UnixMilliseconds(now), birth: String(decoding: told[1], as: UTF8.self),
            epoch: FencingToken(epoch), month: String(decoding: told[3], as: UTF8.self), used: used,
            reserved: reserved, plan: plan, cooldowns: cooldowns,
            nextAt: number(told[7]).map { UnixMilliseconds($0) }, instances: instances,
            purged: FencingToken(purged), external: external, refusals: refusals, slowLevel: slowLevel,
            flights: flights, members: members)
    }

    /// The parts of a shadow that are always there, and those of each cooldown, refusal, flight and member.
    private static let (head, group) = (12, 5)

    private static func strings(_ reply: RedisReply) -> [[UInt8]]? {
        guard case .array(let elements) = reply else { return nil }
        var strings: [[UInt8]] = []
        for element in elements {
            guard case .string(let bytes) = element else { return nil }
            strings.append(bytes)
        }
        return strings
    }

    private static func number(_ bytes: [UInt8]) -> Int64? {
        StoreNumber.read(String(decoding: bytes, as: UTF8.self))
    }
}
