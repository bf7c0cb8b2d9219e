import EventLoop
import Telemetry

/// Makes a link to the server that the endpoint leads to, and makes it anew whenever it ends, until stopped.
///
/// One try: find the server (ask the sentinels, follow the cluster), connect, log in. Then a pause with jitter, then the next
/// try, for ever. Where another server has taken over and is known, the next try comes at once.
///
/// Sendable: everything is touched by the loop's thread alone.
final class RedisConnector: @unchecked Sendable {
    /// What the owner does about it; all on the loop's thread.
    struct Events {
        var trying: () -> Void = {}
        /// Gets the link and where it leads.
        var ready: (RedisLink, String) -> Void
        /// Returns the moment before which there should be no next try, if there is one.
        var ended: (RedisLinkEnd) -> ContinuousClock.Instant?
    }

    /// Redirects that are followed without a pause, until the link has done what it is for.
    private static let mostAtOnce = 4
    /// While there is no master the sentinels are asked so often.
    private static let promotionCheck = Duration.milliseconds(200)

    private let setup: RedisLinkSetup
    private let events: Events
    private let dialer: RedisDialer
    private let sentinels: RedisSentinels?
    private var trail: RedisClusterTrail
    private var backoff: RedisBackoff
    private var refusedBackoff: RedisBackoff
    private var link: RedisLink?
    /// Where the link leads, on a cluster or behind sentinels.
    private var node: RedisEndpoint.Node?
    private var redirects = 0
    private var timer: EventWatch?
    private var isStopped = true
    /// What was last logged: nil for "it works".
    private var loggedReason: String? = ""

    init(_ setup: RedisLinkSetup, channel: String? = nil, events: Events) {
        self.setup = setup
        self.events = events
        let endpoint = setup.endpoint
        dialer = RedisDialer(
            setup, login: RedisLogin(endpoint, name: setup.name), shape: endpoint.shape, channel: channel)
        sentinels =
            if case .sentinel(let nodes, let service) = endpoint.place {
                RedisSentinels(setup, nodes: nodes, service: service)
            } else {
                nil
            }
        let seeds: [RedisEndpoint.Node] = if case .cluster(let nodes) = endpoint.place { nodes } else { [] }
        trail = RedisClusterTrail(seeds: seeds, slot: setup.slot)
        let timeouts = setup.timeouts
        backoff = RedisBackoff(first: timeouts.reconnectFirst, longest: timeouts.reconnectLongest)
        refusedBackoff = RedisBackoff(first: timeouts.refusedFirst, longest: timeouts.refusedLongest)
    }

    /// Begins; idempotent.
    func start() {
        guard isStopped else { return }
        isStopped = false
        begin()
    }

    /// Ends the link and tries no more.
    func stop() {
        isStopped = true
        timer = nil
        dialer.cancel()
        sentinels?.stop()
        link?.end(.closed)
        link = nil
    }

    /// Notes that the link has done what it is for: the next pause is short again.
    func proven() {
        backoff.reset()
        redirects = 0
        guard loggedReason != nil else { return }
        loggedReason = nil
        setup.logger.log(.notice, "Redis answers", [.address: place, .client: setup.name])
    }

    /// Where Redis is, and which of its servers the link leads to.
    private var place: String {
        let address = setup.endpoint.address
        return node.map { "\(address) at \($0)" } ?? address
    }

    private func begin() {
        timer = nil
        node = nil
        events.trying()
        switch setup.endpoint.place {
        case .unix(let path): dial(.unix(path: path))
        case .server(let node): dial(.node(node))
        case .sentinel:
            sentinels?.find { [unowned self] answer in
                switch answer {
                case .master(let node): go(to: node)
                case .failed(let reason): ended(reason)
                }
            }
        case .cluster:
            guard let node = trail.next() else { return ended(.unresolved) }
            go(to: node)
        }
    }

    private func go(to node: RedisEndpoint.Node) {
        self.node = node
        dial(.node(node))
    }

    private func dial(_ target: RedisDialer.Target) {
        dialer.dial(target) { [unowned self] outcome in
            switch outcome {
            case .failed(let reason): ended(reason)
            case .link(let link): arrived(over: link)
            }
        }
    }

    private func arrived(over link: RedisLink) {
        self.link = link
        link.onEnd = { [unowned self] reason in ended(reason) }
        switch (setup.endpoint.shape, node) {
        case (.cluster, let node?): weigh(node, link)
        case (.sentinel, let node?):
            sentinels?.watch(node, every: setup.timeouts.masterCheck) { [unowned self] in
                self.link?.end(.masterMoved)
            }
            ready(link)
        default: ready(link)
        }
    }

    /// Asks a node of a cluster whether our slot is there.
    private func weigh(_ node: RedisEndpoint.Node, _ link: RedisLink) {
        let deadline = ContinuousClock.now + setup.timeouts.connect
        var id: RedisReply?
        link.send(["CLUSTER", "MYID"].map { Array($0.utf8) }, before: deadline) { id = try? $0.get() }
        link.send(["CLUSTER", "SLOTS"].map { Array($0.utf8) }, before: deadline) { [unowned self] result in
            // Without replies the link has ended, and has told so.
            guard let id, let slots = try? result.get(), self.link === link else { return }
            switch trail.arrived(at: node, id: id, slots: slots) {
            case .stay: ready(link)
            case .go(let next):
                leave(link)
                go(to: next)
            case .giveUp(let reason): link.end(reason)
            }
        }
    }

    private func leave(_ link: RedisLink) {
        self.link = nil
        link.onEnd = { _ in }
        link.end(.closed)
    }

    private func ready(_ link: RedisLink) {
        refusedBackoff.reset()
        events.ready(link, node?.description ?? setup.endpoint.address)
    }

    /// A try has failed, or the link has ended.
    private func ended(_ reason: RedisLinkEnd) {
        link = nil
        sentinels?.unwatch()
        if case .moved(let next) = reason, let node { trail.redirected(to: next, from: node.host) }
        let earliest = events.ended(reason)
        guard !isStopped else { return }
        log(reason)
        if reason.isRedirect && redirects < Self.mostAtOnce {
            redirects += 1
            return pause(.zero)
        }
        let fraction = Double.random(in: 0..<1)
        let pause =
            reason.needsSomebody ? refusedBackoff.next(fraction: fraction) : backoff.next(fraction: fraction)
        self.pause(max(pause, earliest.map { $0 - .now } ?? .zero))
        awaitPromotion()
    }

    /// Cuts the pause short once the sentinels name another master.
    private func awaitPromotion() {
        guard let node else { return }
        sentinels?.watch(node, every: Self.promotionCheck) { [unowned self] in
            backoff.reset()
            begin()
        }
    }

    private func pause(_ delay: Duration) {
        timer = try? setup.loop.schedule(after: delay) { [unowned self] in begin() }
        if timer == nil {
            setup.logger.log(.error, "no timer for Redis: no further try", [.client: setup.name])
        }
    }

    /// One line for each change of the reason, not for each try.
    private func log(_ reason: RedisLinkEnd) {
        guard loggedReason != reason.reason else { return }
        loggedReason = reason.reason
        let fields: KeyValuePairs<LogKey, String> = [
            .address: place, .client: setup.name, .reason: reason.reason,
        ]
        if reason.needsSomebody {
            setup.logger.log(.error, reason.complaint, fields)
        } else if reason.isRedirect {
            setup.logger.log(.notice, "Redis has moved", fields)
        } else {
            setup.logger.log(.warning, "Redis is not reached", fields)
        }
    }
}

extension RedisLinkEnd {
    /// What somebody has to do something about, in fixed words.
    fileprivate var complaint: StaticString {
        switch self {
        case .isCluster: "Redis is a cluster: its URL must begin with redis+cluster://"
        case .notCluster: "Redis is no cluster: its URL must not begin with redis+cluster://"
        case .tlsRefused: "Redis's certificate is not accepted, or it has no TLS"
        default: "Redis refuses the login"
        }
    }
}
