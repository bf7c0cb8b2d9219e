import EventLoop

/// The refresher's mailbox: what the event loops ask for, coalesced by resource, with a bell.
///
/// Safe from any thread; bounded by the number of resources that can be asked for.
package final class Wants: Sendable {
    private let pending = Locked<[Resource: Demand]>([:])
    private let bell: AsyncStream<Void>.Continuation
    /// Rings once for any number of wants since the last time.
    let rings: AsyncStream<Void>

    package init() {
        (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes a want; the most urgent one of a resource is kept.
    package func add(_ resource: Resource, _ demand: Demand) {
        let isNew = pending.withLock { pending in
            switch (pending[resource], demand) {
            case (nil, _), (.asked, .stale), (.asked, .cold), (.stale, .cold):
                pending[resource] = demand
                return true
            case (.asked, .asked), (.stale, _), (.cold, _):
                return false
            }
        }
        if isNew && demand != .asked { ring() }
    }

    /// Makes the refresher look around.
    func ring() { bell.yield() }

    /// Ends the bell for good.
    func end() { bell.finish() }

    /// Takes all that is pending.
    func take() -> [Resource: Demand] {
        pending.withLock { pending in
            defer { pending = [:] }
            return pending
        }
    }
}
