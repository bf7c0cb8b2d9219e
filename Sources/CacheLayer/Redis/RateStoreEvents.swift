import Foundation

/// The messages of the fleet's channel.
enum RateStoreEvents {
    private struct Message: Decodable {
        let kind: String
        let resource: String?
        let id: String?
        let token: Int64?
        let next: Int64?
        let scope: String?
        let ms: Int64?
    }

    /// What a message tells; nil for kinds of other versions and for anything that can't be read: an event only says where
    /// to look.
    static func event(_ bytes: [UInt8]) -> StoreEvent? {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(bytes)) else { return nil }
        let resource = message.resource.flatMap { Resource(name: $0) }
        switch message.kind {
        case "published":
            guard let resource, let token = message.token,
                let id = message.id.flatMap({ SnapshotID(parsing: $0) })
            else { return nil }
            return .published(resource, id, FencingToken(token))
        case "failed":
            guard let resource, let next = message.next else { return nil }
            return .failed(resource, next: UnixMilliseconds(next))
        case "refused":
            guard let resource, let next = message.next else { return nil }
            return .refused(resource, next: UnixMilliseconds(next))
        case "slot_free": return resource.map { .slotFree($0) }
        case "cooldown":
            guard let scope = message.scope.flatMap({ CooldownScope(rawValue: $0) }), let rest = message.ms
            else { return nil }
            return .cooldown(scope, .milliseconds(rest))
        case "purged": return .purged
        default: return nil
        }
    }
}
