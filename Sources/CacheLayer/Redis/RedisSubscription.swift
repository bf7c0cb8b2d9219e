import EventLoop

/// One channel on a link of its own, subscribed again after every reconnect.
///
/// Sendable: everything is touched by the loop's thread alone.
final class RedisSubscription: @unchecked Sendable {
    private let channel: String
    private let timeouts: RedisTimeouts
    private let loop: EventLoop
    private let onMessage: @Sendable ([UInt8]) -> Void
    private let onState: @Sendable (Bool) -> Void
    private var connector: RedisConnector?
    private var link: RedisLink?
    private var isUp = false
    /// The limit of the confirmation, then of the sign of life that was asked for.
    private var answerTimer: EventWatch?
    private var silenceTimer: EventWatch?

    init(
        _ setup: RedisLinkSetup, channel: String, onMessage: @escaping @Sendable ([UInt8]) -> Void,
        onState: @escaping @Sendable (Bool) -> Void
    ) {
        self.channel = channel
        timeouts = setup.timeouts
        loop = setup.loop
        self.onMessage = onMessage
        self.onState = onState
        connector = RedisConnector(
            setup.named("-events"), channel: channel,
            events: RedisConnector.Events(
                ready: { [unowned self] link, _ in subscribe(on: link) },
                ended: { [unowned self] _ in
                    ended()
                    return nil
                }))
    }

    func start() { connector?.start() }

    func close() {
        connector?.stop()
        connector = nil
        ended()
    }

    private func subscribe(on link: RedisLink) {
        self.link = link
        link.onPush = { [unowned self] parts in received(parts) }
        link.subscribe(to: channel)
        limitAnswer()
    }

    private func received(_ parts: [RedisReply]) {
        switch parts.first {
        case .string(let kind) where kind == Array("message".utf8):
            guard parts.count == 3, case .string(let body) = parts[2] else { return }
            onMessage(body)
        case .string(let kind) where kind == Array("subscribe".utf8):
            answerTimer = nil
            guard !isUp else { return }
            isUp = true
            connector?.proven()
            silenceTimer = try? loop.every(timeouts.subscriptionSilence) { [unowned self] in checkSilence() }
            onState(true)
        default: break
        }
    }

    /// A link that is only cut, not closed, stays silent for ever: after a while without a word it's asked.
    private func checkSilence() {
        guard let link else { return }
        if link.hasHeard() {
            answerTimer = nil
            return
        }
        guard answerTimer == nil else { return }
        link.askForLife()
        limitAnswer()
    }

    private func limitAnswer() {
        answerTimer = try? loop.schedule(after: timeouts.command) { [unowned self] in
            answerTimer = nil
            if let link, !isUp || !link.hasHeard() { link.end(.commandTimedOut) }
        }
    }

    private func ended() {
        link = nil
        answerTimer = nil
        silenceTimer = nil
        guard isUp else { return }
        isUp = false
        onState(false)
    }
}
