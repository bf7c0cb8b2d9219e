import EventLoop

/// Asks the sentinels of an endpoint who the master is: in turn, each within the connect limit.
///
/// The link to the one that has answered is kept for the next question. Only on the loop's own thread.
final class RedisSentinels {
    enum Answer {
        case master(RedisEndpoint.Node)
        case failed(RedisLinkEnd)
    }

    private let setup: RedisLinkSetup
    private let nodes: [RedisEndpoint.Node]
    private let service: String
    private let dialer: RedisDialer
    private var round = RedisSentinelRound()
    private var link: RedisLink?
    /// The sentinel asked, and how many were in this round.
    private var place = 0
    private var asked = 0
    /// Number of the present question: an answer to an older one is dropped.
    private var question = 0
    private var finish: ((Answer) -> Void)?
    private var watch: EventWatch?

    init(_ setup: RedisLinkSetup, nodes: [RedisEndpoint.Node], service: String) {
        self.setup = setup
        self.nodes = nodes
        self.service = service
        dialer = RedisDialer(
            setup, login: RedisLogin(sentinelsOf: setup.endpoint, name: setup.name + "-sentinel"),
            shape: .single)
    }

    /// Begins a round; one that hasn't ended is dropped.
    ///
    /// `finish` is called once, unless `stop` comes first.
    func find(_ finish: @escaping (Answer) -> Void) {
        cancel()
        self.finish = finish
        round.begin()
        asked = 0
        ask()
    }

    /// Asks again and again whether somebody else than `node` is the master; then calls `moved` once.
    ///
    /// An old master that was cut off from the others goes on answering: nothing else would tell.
    func watch(_ node: RedisEndpoint.Node, every pause: Duration, _ moved: @escaping () -> Void) {
        watch = try? setup.loop.every(pause) { [unowned self] in
            guard finish == nil else { return }
            find { [unowned self] answer in
                guard case .master(let named) = answer, named != node else { return }
                watch = nil
                moved()
            }
        }
    }

    /// Ends the watch; the link to the sentinel stays for the round that follows.
    func unwatch() {
        watch = nil
        cancel()
    }

    func stop() {
        unwatch()
        link?.onEnd = { _ in }
        link?.end(.closed)
        link = nil
    }

    private func cancel() {
        finish = nil
        question += 1
        dialer.cancel()
    }

    private func ask() {
        guard asked < nodes.count else {
            let (node, failure) = round.end()
            return end(node.map { .master($0) } ?? .failed(failure))
        }
        asked += 1
        if let link { return ask(over: link) }
        dialer.dial(.node(nodes[place % nodes.count])) { [unowned self] outcome in
            switch outcome {
            case .failed(let reason):
                round.failed(reason)
                askNext()
            case .link(let link):
                self.link = link
                link.onEnd = { [unowned self] _ in self.link = nil }
                ask(over: link)
            }
        }
    }

    private func askNext() {
        question += 1
        link?.end(.closed)
        link = nil
        place += 1
        ask()
    }

    private func ask(over link: RedisLink) {
        let deadline = ContinuousClock.now + setup.timeouts.connect
        let number = question
        var address: RedisReply?
        send(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", service], over: link, before: deadline) { address = $0 }
        send(["SENTINEL", "MASTER", service], over: link, before: deadline) { [unowned self] details in
            guard number == question else { return }
            guard let address, let details else {
                round.failed(.lost)
                return askNext()
            }
            if let node = round.heard(RedisSentinelReport(address: address, details: details)) {
                end(.master(node))
            } else {
                askNext()
            }
        }
    }

    /// `answer` gets nil if there is none.
    private func send(
        _ command: [String], over link: RedisLink, before deadline: ContinuousClock.Instant,
        _ answer: @escaping (RedisReply?) -> Void
    ) {
        link.send(command.map { Array($0.utf8) }, before: deadline) { answer(try? $0.get()) }
    }

    private func end(_ answer: Answer) {
        let finish = finish
        self.finish = nil
        question += 1
        finish?(answer)
    }
}
