import CacheLayer
import EventLoop
import Telemetry

/// One process of the fleet, from its start until it is stopped or killed.
///
/// Safe from any thread.
final class MonthInstance: Sendable {
    let link: MonthLink
    let refresher: Refresher
    private let views: Locked<[Resource: ResourceView]>
    private let isGone: Locked<Bool>

    init(
        _ name: String, settings: MonthSettings, numbers: SeededNumbers, link: MonthLink, time: TimeSource,
        upstream: MonthUpstream, slot: Int
    ) {
        let views = Locked<[Resource: ResourceView]>([:])
        let isGone = Locked(false)
        let numbers = Locked(numbers)
        (self.link, self.views, self.isGone) = (link, views, isGone)
        refresher = Refresher(
            store: link,
            settings: RefreshSettings(
                holder: name, bases: settings.bases, policy: settings.policy, plan: settings.quota,
                times: LeaseTimes(lease: .seconds(15), deadline: .seconds(10)), hasAccount: true,
                key: MonthUpstream.keyMark, look: settings.quietLook),
            time: time, logger: .silent,
            random: { bound in numbers.withLock { Int64.random(in: 0..<max(1, bound), using: &$0) } },
            tell: { news in views.withLock { $0[news.resource] = news.view } },
            fetch: { order in
                if isGone.withLock({ $0 }) { return .unsent }
                return await upstream.fetch(order, slot: slot)
            })
    }

    /// What a request for this table is answered from.
    func view(of resource: Resource) -> ResourceView { views.withLock { $0[resource] ?? .empty } }

    /// As SIGTERM does: what is open is settled and told.
    func stop() async {
        await refresher.startNothing()
        await refresher.stop()
        end()
    }

    /// As `kill -9` does: nobody hears of it any more, nothing of it is left.
    func kill() async {
        end()
        // Ends what a dead process doesn't have any more: its tasks. Its link is cut.
        await refresher.stop()
    }

    private func end() {
        isGone.withLock { $0 = true }
        link.end()
    }
}
