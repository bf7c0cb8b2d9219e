import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way: collects the answer and ends exactly once.
///
/// Whatever comes first ends it: the last byte, a failure, the body limit, the deadline, cancellation or the
/// gate. Everything after that is ignored. Sendable: what changes is `Locked`; URLSession's tasks may be
/// resumed and cancelled from any thread.
final class Exchange: Receiver {
    typealias Outcome = Result<RawAnswer, TransportError>

    private struct Progress {
        var waiter: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var started: ContinuousClock.Instant?
        var response: HTTPURLResponse?
        var body = Data()
    }

    private let task: URLSessionTask
    private let bodyLimit: Int
    private let progress = Locked(Progress())

    init(task: URLSessionTask, bodyLimit: Int) {
        self.task = task
        self.bodyLimit = bodyLimit
    }

    /// Asks the gate, sends the request and waits for the end; to be called once.
    func outcome(gate: @Sendable () -> Bool) async -> Outcome {
        await withCheckedContinuation { waiter in
            let early = progress.withLock { progress -> Outcome? in
                if progress.outcome == nil { progress.waiter = waiter }
                return progress.outcome
            }
            if let early {
                waiter.resume(returning: early)
            } else if gate() {
                progress.withLock { $0.started = .now }
                // If the deadline passed while the gate was asked, the task is cancelled and this does nothing.
                task.resume()
            } else {
                end(.notStarted)
            }
        }
    }

    /// Ends the exchange at the deadline; returns early when cancelled.
    func expire(after deadline: Duration) async {
        do {
            try await Task.sleep(for: deadline)
            end(.timedOut)
        } catch {
            // Cancelled: the exchange has ended before its deadline.
        }
    }

    /// Ends the exchange without an answer and drops its connection.
    func end(_ error: TransportError) {
        if finish({ _ in .failure(error) }) { task.cancel() }
    }

    /// Takes the head of the answer.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return end(.other(code: 0)) }
        // With content coding this is the coded length, and the decoded body is longer still.
        if response.expectedContentLength > Int64(bodyLimit) { return end(.bodyTooLarge) }
        progress.withLock { $0.response = response }
    }

    /// Takes a piece of the body.
    func receive(_ piece: Data) {
        let fits = progress.withLock { progress in
            guard progress.outcome == nil else { return true }
            guard progress.body.count + piece.count <= bodyLimit else { return false }
            progress.body.append(piece)
            return true
        }
        if !fits { end(.bodyTooLarge) }
    }

    /// Ends the exchange as URLSession reports it: with the answer, or with `error`.
    func complete(_ error: (any Error)?) {
        _ = finish { progress in
            if let error { return .failure(TransportError(error)) }
            // The head of a redirect that names no usable place is not delivered, only kept in the task.
            guard let head = progress.response ?? task.response as? HTTPURLResponse else {
                return .failure(.connectionLost)
            }
            return .success(Self.answer(head, progress))
        }
    }

    /// Ends the exchange with this head and the body that has come; false if it had ended before.
    ///
    /// After true the task will not be cancelled by this exchange.
    func conclude(with head: HTTPURLResponse) -> Bool {
        finish { .success(Self.answer(head, $0)) }
    }

    private static func answer(_ head: HTTPURLResponse, _ progress: Progress) -> RawAnswer {
        let elapsed = progress.started.map { $0.duration(to: .now) } ?? .zero
        return RawAnswer(head: head, body: progress.body, elapsed: elapsed)
    }

    /// Sets the outcome if there is none yet and wakes the waiter; false if there was one.
    private func finish(_ conclude: (Progress) -> Outcome) -> Bool {
        let (isFirst, wakeUp) = progress.withLock { progress -> (Bool, (() -> Void)?) in
            guard progress.outcome == nil else { return (false, nil) }
            let outcome = conclude(progress)
            progress.outcome = outcome
            progress.body = Data()
            defer { progress.waiter = nil }
            return (true, progress.waiter.map { waiter in { waiter.resume(returning: outcome) } })
        }
        wakeUp?()
        return isFirst
    }
}
