import CacheLayer
import EventLoop
import Telemetry

/// What the gateway tells about itself: readiness, metrics, status.
///
/// Opened once the gateway is whole; before that nothing asks. Safe from any thread.
final class GatewayPages: Sendable {
    private let gateway = Locked<WeakGateway?>(nil)

    private struct WeakGateway: Sendable {
        weak let gateway: Gateway?
    }

    func open(_ gateway: Gateway) { self.gateway.withLock { $0 = WeakGateway(gateway: gateway) } }

    func readiness() -> Readiness {
        opened?.readiness ?? Readiness(isReady: false, isDraining: false, degraded: [])
    }

    func metrics() -> [UInt8] { opened.map { MetricsPage.body(of: $0) } ?? [] }

    func status() -> [UInt8] { opened.map { StatusPage.body(of: $0) } ?? [] }

    func sources() -> [UInt8] { opened.map { SourcesPage.body(of: $0) } ?? [] }

    func quota() -> [UInt8] { opened.map { QuotaPage.body(of: $0) } ?? [] }

    func events() -> [UInt8] {
        opened.map { EventsPage.body(of: $0.events, instance: Gateway.instanceName(), wall: .now) } ?? []
    }

    func plainFacts() -> PlainFacts { opened.map { PlainFacts($0) } ?? .none }

    func fleet() -> FleetView {
        guard let gateway = opened else { return .empty }
        return FleetView(
            status: gateway.refresher.board.status, plan: gateway.configuration.quotaPlan,
            instance: Gateway.instanceName(), store: StoreView(gateway.store),
            calls: gateway.lastCalls.all)
    }

    private var opened: Gateway? { gateway.withLock { $0?.gateway } }

    /// What doesn't work as it should, one word each, sorted.
    static func degraded(_ status: RefreshStatus, isShared: Bool, hasStateFault: Bool) -> [String] {
        var words: Set<String> = []
        if hasStateFault { words.insert("state_file") }
        if isShared, !status.isStoreReachable { words.insert("store_down") }
        for (resource, view) in status.resources where view.condition.isDefinite && resource != .account {
            if case .paced = view.condition { continue }
            if case .forbidden = view.condition {
                words.insert("forbidden")
                continue
            }
            words.insert(view.condition.staleReason.rawValue)
        }
        return words.sorted()
    }
}
