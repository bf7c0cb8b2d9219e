import EventLoop

/// The way of single commands to the node that a slot is moving to.
///
/// While a slot moves, its keys are at two nodes: one that finds none of a command's keys sends it to the other, where it's
/// done once if `ASKING` comes first. The link is made when needed and kept while it is in use. Only on the loop's own thread.
final class RedisDetour {
    private struct Waiting {
        let arguments: [[UInt8]]
        let deadline: ContinuousClock.Instant
        let finish: RedisLink.Finish
    }

    /// Longer than any pause between commands of a slot that is moved under load.
    private static let kept = Duration.seconds(2)
    private static let failure = StoreError.notExecuted(.serverError(RedisErrorLabel.ask.rawValue))

    private let loop: EventLoop
    private let dialer: RedisDialer
    private var node: RedisEndpoint.Node?
    private var link: RedisLink?
    private var waiting: [Waiting] = []
    private var idle: EventWatch?

    init(_ setup: RedisLinkSetup) {
        let setup = setup.named("-asking")
        loop = setup.loop
        dialer = RedisDialer(
            setup, login: RedisLogin(setup.endpoint, name: setup.name), shape: setup.endpoint.shape)
    }

    /// Sends a command to a node, once; `finish` gets its reply, or an error that says that it was not sent.
    func send(
        _ arguments: [[UInt8]], to node: RedisEndpoint.Node, before deadline: ContinuousClock.Instant,
        _ finish: @escaping RedisLink.Finish
    ) {
        if node != self.node { close() }
        self.node = node
        idle = try? loop.schedule(after: Self.kept) { [unowned self] in close() }
        let command = Waiting(arguments: arguments, deadline: deadline, finish: finish)
        if let link { return pass(command, over: link) }
        waiting.append(command)
        guard waiting.count == 1 else { return }
        dialer.dial(.node(node)) { [unowned self] outcome in
            switch outcome {
            case .link(let link):
                self.link = link
                link.onEnd = { [unowned self] _ in self.link = nil }
                flush { [unowned self] in pass($0, over: link) }
            case .failed: flush { $0.finish(.failure(Self.failure)) }
            }
        }
    }

    /// Ends it; commands that wait for the link were not sent.
    func close() {
        idle = nil
        node = nil
        dialer.cancel()
        link?.end(.closed)
        link = nil
        flush { $0.finish(.failure(Self.failure)) }
    }

    private func flush(_ body: (Waiting) -> Void) {
        let all = waiting
        waiting = []
        for command in all { body(command) }
    }

    private func pass(_ command: Waiting, over link: RedisLink) {
        guard ContinuousClock.now < command.deadline else { return command.finish(.failure(Self.failure)) }
        link.send([Array("ASKING".utf8)], before: command.deadline) { _ in }
        link.send(command.arguments, before: command.deadline, command.finish)
    }
}
