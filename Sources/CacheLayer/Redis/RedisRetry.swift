/// How one request that had no effect for certain is tried again.
struct RedisRetry {
    enum Step: Hashable {
        case giveUp
        /// Such a fault has mostly ended the link: the next one may lead to the right server.
        case overNextLink
        /// The keys of our slot are on their way from one node to another; no other link would help.
        case after(Duration)
    }

    /// 310 ms in all: a slot with as few keys as ours is moved in less.
    private var pauses = [10, 20, 40, 80, 160].map { Duration.milliseconds($0) }[...]
    private var mayChangeLink = true

    /// What to do about a fault, the next one of this request.
    mutating func next(after fault: StoreFault) -> Step {
        switch fault {
        case .notConnected, .breakerOpen, .forbidden, .contended, .closed: return .giveUp
        case .serverError("TRYAGAIN"), .serverError("ASK"):
            guard let pause = pauses.popFirst() else { return .giveUp }
            return .after(pause)
        case .timedOut, .linkLost, .serverError, .badReply:
            defer { mayChangeLink = false }
            return mayChangeLink ? .overNextLink : .giveUp
        }
    }
}
