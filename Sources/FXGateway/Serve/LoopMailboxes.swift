import CacheLayer
import EventLoop

/// Carries the refresher's news to every event loop.
///
/// Safe from any thread; opened once, when the loops exist.
final class LoopMailboxes: Sendable {
    private let loops = Locked<[(EventLoop, GatewayApplication)]>([])

    func open(_ loops: [(EventLoop, GatewayApplication)]) { self.loops.withLock { $0 = loops } }

    func deliver(_ news: RefreshNews) {
        for (loop, application) in loops.withLock({ $0 }) {
            loop.post { application.update(news.resource, news.view, isOwnFetch: news.isOwnFetch) }
        }
    }
}
