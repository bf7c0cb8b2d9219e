/// The messages of the fleet's channel.
enum RateStoreEvents {
    /// Deeper and longer than any message that a version of these scripts sends.
    private static let depth = 4
    private static let mostBytes = 4_096

    /// What tells an event to the fleet; nil for those that are no messages.
    static func message(_ event: StoreEvent, of control: ControlRecord) -> String? {
        var members: [JSONTree.Member]
        switch event {
        case .published(let resource, let id, let token):
            members = [
                .init("kind", .string("published")), .init("resource", .string(resource.name)),
                .init("token", .integer(token.value)), .init("id", .string(id.text)),
            ]
        case .failed(let resource, let next):
            members = [
                .init("kind", .string("failed")), .init("resource", .string(resource.name)),
                .init("next", .integer(next.value)),
            ]
        case .refused(let resource, let next):
            members = [
                .init("kind", .string("refused")), .init("resource", .string(resource.name)),
                .init("next", .integer(next.value)),
            ]
        case .slotFree(let resource):
            members = [.init("kind", .string("slot_free")), .init("resource", .string(resource.name))]
        case .cooldown(let scope, let rest):
            members = [
                .init("kind", .string("cooldown")), .init("scope", .string(scope.rawValue)),
                .init("ms", .integer(rest.milliseconds)),
            ]
        case .purged: members = [.init("kind", .string("purged"))]
        case .linkUp, .linkDown: return nil
        }
        members += [
            .init("used", .integer(control.ledger.counted)), .init("epoch", .integer(control.epoch)),
        ]
        return String(decoding: JSONTree.object(members).encoded, as: UTF8.self)
    }

    /// What a message tells; nil for kinds of other versions and for anything that can't be read: an event only says where
    /// to look.
    ///
    /// Every instance reads every message while clients may wait for what it tells: by the reader that snapshots go through.
    static func event(_ bytes: [UInt8]) -> StoreEvent? {
        guard bytes.count <= mostBytes, let message = try? JSONTree.parse(bytes, depth: depth) else {
            return nil
        }
        let resource = message["resource"]?.string.flatMap { Resource(name: $0) }
        func integer(_ name: String) -> Int64? { message[name]?.number.flatMap { StoreNumber.read($0) } }
        switch message["kind"]?.string {
        case "published":
            guard let resource, let token = integer("token"),
                let id = message["id"]?.string.flatMap({ SnapshotID(parsing: $0) })
            else { return nil }
            return .published(resource, id, FencingToken(token))
        case "failed":
            guard let resource, let next = integer("next") else { return nil }
            return .failed(resource, next: UnixMilliseconds(next))
        case "refused":
            guard let resource, let next = integer("next") else { return nil }
            return .refused(resource, next: UnixMilliseconds(next))
        case "slot_free": return resource.map { .slotFree($0) }
        case "cooldown":
            guard let scope = message["scope"]?.string.flatMap({ CooldownScope(rawValue: $0) }),
                let rest = integer("ms")
            else { return nil }
            return .cooldown(scope, .milliseconds(rest))
        case "purged": return .purged
        default: return nil
        }
    }
}
