import EventLoop

/// Makes links to nodes, one try at a time: name look-up, connect to the addresses in turn, login.
///
/// Each try is over within the connect limit. Sendable: everything is touched by the loop's thread alone; the resolver posts
/// its answer there.
final class RedisDialer: @unchecked Sendable {
    enum Target: Hashable {
        case node(RedisEndpoint.Node)
        case unix(path: String)
    }

    enum Outcome {
        /// Logged in and ready; from now on `onEnd` is the taker's.
        case link(RedisLink)
        case failed(RedisLinkEnd)
    }

    private let setup: RedisLinkSetup
    private let login: RedisLogin
    private let shape: RedisShape
    private let channel: String?
    private var finish: ((Outcome) -> Void)?
    /// The one in the making.
    private var link: RedisLink?
    /// The host that TLS has to prove, and addresses of this try that were not tried yet.
    private var host = ""
    private var peers: [RedisSocket.Peer] = []
    /// Where in the list of addresses a try begins: moved on when one of them hangs.
    private var firstPeer = 0
    private var deadline = ContinuousClock.now
    private var timer: EventWatch?
    /// Number of the present try: an answer to an older one is dropped.
    private var attempt = 0

    /// `shape` says what errors on the links mean; `channel` is the one that they may subscribe to.
    init(_ setup: RedisLinkSetup, login: RedisLogin, shape: RedisShape, channel: String? = nil) {
        self.setup = setup
        self.login = login
        self.shape = shape
        self.channel = channel
    }

    /// Begins a try; an earlier one that hasn't ended is dropped.
    ///
    /// `finish` is called once, unless `cancel` comes first.
    func dial(_ target: Target, _ finish: @escaping (Outcome) -> Void) {
        cancel()
        let number = attempt
        self.finish = finish
        let limit = setup.timeouts.connect
        deadline = .now + limit
        timer = try? setup.loop.schedule(after: limit) { [unowned self] in
            if let link { link.end(.connectTimedOut) } else { failed(.connectTimedOut) }
        }
        switch target {
        case .unix(let path):
            host = ""
            connect([.unix(path: path)])
        case .node(let node):
            host = node.host
            if RedisResolver.isNumeric(host) { return connect([.address(host, port: node.port)]) }
            setup.resolver.resolve(host) { [weak self] addresses in
                guard let self, number == attempt else { return }
                guard !addresses.isEmpty else { return failed(.unresolved) }
                let start = firstPeer % addresses.count
                connect((addresses[start...] + addresses[..<start]).map { .address($0, port: node.port) })
            }
        }
    }

    /// Drops the try that is under way, if there is one.
    func cancel() {
        attempt += 1
        timer = nil
        finish = nil
        link?.onEnd = { _ in }
        link?.end(.closed)
        link = nil
    }

    /// Tries the addresses one after the other until one takes the link.
    private func connect(_ all: [RedisSocket.Peer]) {
        peers = all
        while !peers.isEmpty {
            let peer = peers.removeFirst()
            do throws(RedisLinkEnd) {
                let socket = try RedisSocket(
                    peer: peer, channel: channel, tls: setup.tls, host: host, loop: setup.loop)
                return logIn(over: RedisLink(socket: socket, shape: shape, loop: setup.loop))
            } catch {
                guard error == .unreachable else { return failed(error) }
            }
        }
        failed(.unreachable)
    }

    private func logIn(over link: RedisLink) {
        self.link = link
        link.onReady = { [unowned self, unowned link] in
            self.link = nil
            end(.link(link))
        }
        link.onEnd = { [unowned self] reason in
            self.link = nil
            if reason == .unreachable && !peers.isEmpty { connect(peers) } else { failed(reason) }
        }
        link.logIn(login, before: deadline)
    }

    private func failed(_ reason: RedisLinkEnd) {
        if reason == .connectTimedOut { firstPeer += 1 }
        end(.failed(reason))
    }

    private func end(_ outcome: Outcome) {
        attempt += 1
        timer = nil
        let finish = finish
        self.finish = nil
        finish?(outcome)
    }
}
