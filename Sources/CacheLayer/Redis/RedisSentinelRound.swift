/// One round of questions to the sentinels, each asked at most once, and what is remembered between rounds.
///
/// A sentinel that was cut off names the master of before: it's believed only if none knows of a later decision.
struct RedisSentinelRound {
    /// The highest epoch that was acted on.
    private(set) var epoch: Int64 = 0
    private var best: (node: RedisEndpoint.Node, epoch: Int64)?
    private var failure: RedisLinkEnd?

    /// Forgets the answers of the last round, not its epoch.
    mutating func begin() {
        best = nil
        failure = nil
    }

    /// Weighs an answer: the master, if it's settled by that; nil to ask the next sentinel.
    mutating func heard(_ report: RedisSentinelReport) -> RedisEndpoint.Node? {
        switch report {
        case .master(let node, let epoch):
            guard epoch < self.epoch else {
                self.epoch = epoch
                return node
            }
            if best.map({ epoch > $0.epoch }) ?? true { best = (node, epoch) }
        case .unknown: failure = .masterUnknown
        case .refused(let reason): failed(reason)
        }
        return nil
    }

    /// Notes that a sentinel could not be asked.
    mutating func failed(_ reason: RedisLinkEnd) {
        // What a sentinel said weighs more than what could not be asked.
        if failure != .masterUnknown { failure = reason }
    }

    /// What the round has come to once all were asked: the best of the older answers, else why there is none.
    ///
    /// If all that answer are behind the remembered epoch, the sentinels were set up anew and the memory is wrong.
    mutating func end() -> (node: RedisEndpoint.Node?, failure: RedisLinkEnd) {
        if let best { epoch = best.epoch }
        return (best?.node, failure ?? .unreachable)
    }
}
