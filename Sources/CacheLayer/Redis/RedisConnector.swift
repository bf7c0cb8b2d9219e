import EventLoop
import Telemetry

/// Makes a link to the endpoint, and makes it anew whenever it ends, until stopped.
///
/// One try: look the name up, connect to its addresses in turn, log in; all within the connect limit. Then a pause with
/// jitter, then the next try, for ever.
///
/// Sendable: everything is touched by the loop's thread alone; the resolver posts its answer there.
final class RedisConnector: @unchecked Sendable {
    /// What the owner does about it; all on the loop's thread.
    struct Events {
        var trying: () -> Void = {}
        var ready: (RedisLink) -> Void
        /// Returns the moment before which there should be no next try, if there is one.
        var ended: (RedisLinkEnd) -> ContinuousClock.Instant?
    }

    private let endpoint: RedisEndpoint
    private let timeouts: RedisTimeouts
    private let loop: EventLoop
    private let logger: Logger
    private let name: String
    private let channel: String?
    private let events: Events
    private let resolver: RedisResolver?
    private var backoff: RedisBackoff
    private var refusedBackoff: RedisBackoff
    /// Made, or in the making.
    private var link: RedisLink?
    /// Addresses of this try that were not tried yet.
    private var peers: [RedisSocket.Peer] = []
    /// Where in the list of addresses a try begins: moved on when one of them hangs.
    private var firstPeer = 0
    private var deadline = ContinuousClock.now
    private var timer: EventWatch?
    /// Number of the present try: an answer to an older one is dropped.
    private var attempt = 0
    private var isStopped = true
    /// What was last logged: nil for "it works".
    private var loggedReason: String? = ""

    init(
        endpoint: RedisEndpoint, timeouts: RedisTimeouts, loop: EventLoop, logger: Logger, name: String,
        channel: String? = nil, events: Events
    ) {
        self.endpoint = endpoint
        self.timeouts = timeouts
        self.loop = loop
        self.logger = logger
        // CLIENT SETNAME takes printable ASCII without blanks.
        self.name = String(name.map { ("!"..."~").contains($0) ? $0 : "-" })
        self.channel = channel
        self.events = events
        resolver =
            if case .server(let node) = endpoint.place { RedisResolver(host: node.host, loop: loop) } else {
                nil
            }
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
        attempt += 1
        timer = nil
        link?.end(.closed)
        link = nil
    }

    /// Notes that the link has done what it is for: the next pause is short again.
    func proven() {
        backoff.reset()
        guard loggedReason != nil else { return }
        loggedReason = nil
        logger.log(.notice, "Redis answers", [.address: endpoint.address, .client: name])
    }

    private func begin() {
        attempt += 1
        let number = attempt
        events.trying()
        deadline = .now + timeouts.connect
        setTimer(timeouts.connect) { [unowned self] in
            if let link { link.end(.connectTimedOut) } else { failed(.connectTimedOut) }
        }
        switch endpoint.place {
        case .unix(let path): dial([.unix(path: path)])
        case .server(let node):
            guard let resolver else { return failed(.unresolved) }
            if let address = resolver.numericAddress { return dial([.address(address, port: node.port)]) }
            resolver.resolve { [weak self] addresses in
                guard let self, number == attempt, !isStopped else { return }
                guard !addresses.isEmpty else { return failed(.unresolved) }
                let start = firstPeer % addresses.count
                dial((addresses[start...] + addresses[..<start]).map { .address($0, port: node.port) })
            }
        case .sentinel, .cluster: failed(.unresolved)
        }
    }

    /// Tries the addresses one after the other until one takes the link.
    private func dial(_ all: [RedisSocket.Peer]) {
        peers = all
        while !peers.isEmpty {
            let peer = peers.removeFirst()
            guard let socket = RedisSocket(peer: peer, channel: channel, loop: loop) else { continue }
            let link = RedisLink(socket: socket, loop: loop)
            self.link = link
            link.onReady = { [unowned self, unowned link] in
                timer = nil
                refusedBackoff.reset()
                events.ready(link)
            }
            link.onEnd = { [unowned self] reason in
                self.link = nil
                if reason == .unreachable && !peers.isEmpty && !isStopped {
                    dial(peers)
                } else {
                    failed(reason)
                }
            }
            link.logIn(to: endpoint, name: name, before: deadline)
            return
        }
        failed(.unreachable)
    }

    private func failed(_ reason: RedisLinkEnd) {
        link = nil
        attempt += 1
        if reason == .connectTimedOut { firstPeer += 1 }
        let earliest = events.ended(reason)
        guard !isStopped else { return }
        log(reason)
        let fraction = Double.random(in: 0..<1)
        var pause =
            reason.needsSomebody ? refusedBackoff.next(fraction: fraction) : backoff.next(fraction: fraction)
        if let earliest { pause = max(pause, earliest - .now) }
        setTimer(pause) { [unowned self] in begin() }
    }

    /// Replaces the one timer: first the try's limit, then the pause until the next.
    private func setTimer(_ delay: Duration, _ body: @escaping () -> Void) {
        timer = try? loop.schedule(after: delay, body)
        if timer == nil { logger.log(.error, "no timer for Redis: no further try", [.client: name]) }
    }

    /// One line for each change of the reason, not for each try.
    private func log(_ reason: RedisLinkEnd) {
        guard loggedReason != reason.reason else { return }
        loggedReason = reason.reason
        let fields: KeyValuePairs<LogKey, String> = [
            .address: endpoint.address, .client: name, .reason: reason.reason,
        ]
        if reason.needsSomebody {
            logger.log(.error, "Redis refuses the login", fields)
        } else {
            logger.log(.warning, "Redis is not reached", fields)
        }
    }
}
