@testable import CacheLayer
@testable import FXGateway

/// What comes over the fleet's channel, and the ids that clients come back with.
///
/// The input is the message; behind a byte of 0xFF stands an id.
enum EventTarget {
    static func run(_ bytes: [UInt8]) {
        let parts = Parts.split(bytes, most: 2)
        message(parts[0])
        id(Parts.text(parts.at(1) ?? parts[0]))
    }

    private static func message(_ bytes: [UInt8]) {
        guard let event = RateStoreEvents.event(bytes) else { return }
        let now = UnixMilliseconds.now
        switch event {
        case .published(let resource, let id, let token):
            claimIsGood(resource)
            claim(SnapshotID(parsing: id.text) == id, "\(id) isn't read back")
            claim(Bounds.counts.contains(token.value), "the token \(token)")
        case .failed(let resource, let next), .refused(let resource, let next):
            claimIsGood(resource)
            claim(Bounds.counts.contains(next.value), "an instant of \(next.value)")
            // What is done with it: a wait from now on, and the month that it lies in.
            _ = next - now
            _ = Month(containing: next + .seconds(3_600))
        case .slotFree(let resource): claimIsGood(resource)
        case .cooldown(_, let rest):
            claim(Bounds.counts.contains(rest.milliseconds), "a rest of \(rest)")
            _ = now + rest
        case .purged: return
        case .linkUp, .linkDown: fatalError("a message told of the link")
        }
    }

    private static func claimIsGood(_ resource: Resource) {
        claim(Resource(name: resource.name) == resource, "\(resource) isn't read back")
        claimIsFit(resource.name, atMost: 40)
    }

    /// An id goes into Redis keys and into header lines.
    private static func id(_ text: String) {
        if let id = SnapshotID(parsing: text) {
            claim(id.text == text && text.utf8.count == 19, "\(text.debugDescription) is taken for an id")
            claimIsFit(id.text, atMost: 19)
        }
        guard let resource = Resource(name: text) else { return }
        claim(resource.name == text, "\(text) is taken for \(resource)")
        claimIsGood(resource)
    }
}

/// The numbers that may come from the store: 15 digits, so that sums and products stay far from overflow.
enum Bounds {
    static let counts: ClosedRange<Int64> = -999_999_999_999_999...999_999_999_999_999
}
