import EventLoop

/// The end of one loop's service: waits until its connections are gone, or the limit has passed.
///
/// Loop's thread only.
final class Drain {
    private let completion: (DrainResult) -> Void
    private let total: Int
    private var cut = 0
    private var timer: EventWatch?

    init(total: Int, completion: @escaping (DrainResult) -> Void) {
        self.total = total
        self.completion = completion
    }

    func start(limit: Duration, in loop: HTTPLoop) {
        guard !loop.table.isEmpty else {
            end(in: loop)
            return
        }
        timer = try? loop.loop.schedule(after: limit) { [unowned self, unowned loop] in cutRest(in: loop) }
        if timer == nil { cutRest(in: loop) }
    }

    /// To be called when the last connection has gone.
    func end(in loop: HTTPLoop) {
        timer?.cancel()
        loop.stopTicking()
        loop.drain = nil
        completion(DrainResult(drained: total - cut, cut: cut))
    }

    private func cutRest(in loop: HTTPLoop) {
        let rest = loop.table.all
        // One that is idle or only waits for the client to close has had all its answers.
        cut = rest.count { $0.phase != .lingering && !$0.isIdle }
        for connection in rest { loop.drop(connection, telling: .cut) }
    }
}
