import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One connection of a stream: reads its events into a bounded buffer, from which one reader takes them.
///
/// A reader that is too slow loses the oldest events and is told so with the next one. Sendable: what changes is `Locked`;
/// URLSession's tasks may be resumed and cancelled from any thread.
final class StreamExchange: Receiver, CustomReflectable {
    enum Step: Sendable {
        /// An event; `isAfterLoss` where others before it were dropped, since nobody took them: so are all up to the first table
        /// after the loss, which is what tells of it.
        case event(ServerSentEvent, isAfterLoss: Bool)
        /// How long the server wants to be left alone after the stream's end.
        case retry(Duration)
        /// Bytes have come, but no event.
        case alive
        /// Nothing has come for as long as the reader would wait.
        case silent
        case ended(Ending)
    }

    enum Ending: Sendable {
        /// The answer is no event stream.
        case refused(RawAnswer)
        /// The stream was one, and has ended in order.
        case closed
        case failed(TransportError)
    }

    private struct Progress {
        var parser: EventStreamParser
        var head: HTTPURLResponse?
        var isStream = false
        var ready: [Step] = []
        var events = 0
        var hasLost = false
        var isAlive = false
        /// The time of silence was over before the reader had begun to wait.
        var isSilent = false
        var lastByte: ContinuousClock.Instant
        var ending: Ending?
        var refusal = Data()
        var waiter: CheckedContinuation<Step, Never>?
    }

    /// Bytes of a refusal's body that are read.
    private static let refusalLimit = 65_536

    private let task: URLSessionTask
    private let buffer: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let progress: Locked<Progress>

    init(
        task: URLSessionTask, eventLimit: Int, buffer: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.task = task
        self.buffer = buffer
        self.now = now
        progress = Locked(Progress(parser: EventStreamParser(limit: eventLimit), lastByte: now()))
    }

    /// Shows nothing of the inside, whose request holds the token.
    var customMirror: Mirror { Mirror(self, children: []) }

    /// Sends the request.
    func start() { task.resume() }

    /// The next thing that happens; waits until there has been nothing for `silence`.
    ///
    /// For one reader at a time.
    func next(
        silence: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async -> Step {
        let left = progress.withLock { progress in
            progress.isSilent = false
            return silence - progress.lastByte.duration(to: now())
        }
        async let _ = expire(after: left, sleep)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let step = progress.withLock { progress -> Step? in
                    if let step = Self.take(&progress) { return step }
                    guard !progress.isSilent else { return .silent }
                    progress.waiter = waiter
                    return nil
                }
                if let step { waiter.resume(returning: step) }
            }
        } onCancel: {
            end(.failed(.cancelled))
        }
    }

    /// Ends the connection; what is ready can still be taken.
    func end(_ ending: Ending) {
        if finish(ending) { task.cancel() }
    }

    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return end(.failed(.other(code: 0))) }
        let type = response.value(forHTTPHeaderField: "Content-Type")?.lowercased() ?? ""
        change { progress in
            progress.head = response
            progress.isStream = response.statusCode == 200 && type.hasPrefix("text/event-stream")
        }
    }

    func receive(_ piece: Data) {
        let (isTooLong, isRefused) = change { progress -> (Bool, Bool) in
            guard progress.ending == nil else { return (false, false) }
            guard progress.isStream else {
                progress.refusal.append(piece.prefix(Self.refusalLimit - progress.refusal.count))
                return (false, progress.refusal.count >= Self.refusalLimit)
            }
            var isTooLong = false
            for step in progress.parser.read(piece) {
                switch step {
                case .event(let event):
                    progress.ready.append(.event(event, isAfterLoss: false))
                    progress.events += 1
                case .retry(let milliseconds): progress.ready.append(.retry(.milliseconds(milliseconds)))
                case .comment: break
                case .tooLong: isTooLong = true
                }
            }
            drop(&progress)
            return (isTooLong, false)
        }
        if isTooLong { end(.failed(.bodyTooLarge)) }
        if isRefused {
            complete(nil)
            task.cancel()
        }
    }

    func complete(_ error: (any Error)?) {
        let ending = progress.withLock { progress -> Ending in
            if let error { return .failed(TransportError(error)) }
            guard let head = progress.head ?? task.response as? HTTPURLResponse else {
                return .failed(.connectionLost)
            }
            guard !progress.isStream else { return .closed }
            return .refused(RawAnswer(head: head, body: progress.refusal, elapsed: .zero))
        }
        _ = finish(ending)
    }

    func conclude(with head: HTTPURLResponse) -> Bool {
        let body = progress.withLock { $0.refusal }
        return finish(.refused(RawAnswer(head: head, body: body, elapsed: .zero)))
    }

    /// Drops the oldest events over the buffer's size.
    private func drop(_ progress: inout Progress) {
        while progress.events > buffer || progress.ready.count > 2 * buffer {
            if case .event = progress.ready.removeFirst() {
                progress.events -= 1
                progress.hasLost = true
            }
        }
    }

    private func expire(after left: Duration, _ sleep: @Sendable (Duration) async throws -> Void) async {
        do {
            try await sleep(left)
        } catch {
            // Cancelled: something has come before.
            return
        }
        let waiter = progress.withLock { progress -> CheckedContinuation<Step, Never>? in
            defer { progress.waiter = nil }
            progress.isSilent = progress.waiter == nil
            return progress.waiter
        }
        waiter?.resume(returning: .silent)
    }

    /// Notes that bytes have come, and wakes the reader.
    private func change<Value>(_ body: (inout Progress) -> Value) -> Value {
        let (value, wakeUp) = progress.withLock { progress -> (Value, (() -> Void)?) in
            progress.lastByte = now()
            progress.isAlive = true
            let value = body(&progress)
            return (value, Self.wakeUp(&progress))
        }
        wakeUp?()
        return value
    }

    private func finish(_ ending: Ending) -> Bool {
        let (isFirst, wakeUp) = progress.withLock { progress -> (Bool, (() -> Void)?) in
            guard progress.ending == nil else { return (false, nil) }
            progress.ending = ending
            return (true, Self.wakeUp(&progress))
        }
        wakeUp?()
        return isFirst
    }

    private static func wakeUp(_ progress: inout Progress) -> (() -> Void)? {
        guard let waiter = progress.waiter, let step = take(&progress) else { return nil }
        progress.waiter = nil
        return { waiter.resume(returning: step) }
    }

    private static func take(_ progress: inout Progress) -> Step? {
        if !progress.ready.isEmpty {
            progress.isAlive = false
            let step = progress.ready.removeFirst()
            guard case .event(let event, _) = step else { return step }
            progress.events -= 1
            let isAfterLoss = progress.hasLost
            if event.isTable { progress.hasLost = false }
            return .event(event, isAfterLoss: isAfterLoss)
        }
        if let ending = progress.ending { return .ended(ending) }
        guard progress.isAlive else { return nil }
        progress.isAlive = false
        return .alive
    }
}
