import EventLoop

/// A continuation that two may answer: the first one counts.
///
/// Safe from any thread.
final class OneAnswer: Sendable {
    private let open: Locked<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) { open = Locked(continuation) }

    /// Answers, unless somebody has.
    ///
    /// - Returns: whether this was the answer.
    @discardableResult
    func give(_ answer: Bool) -> Bool {
        let continuation = open.withLock { open in
            defer { open = nil }
            return open
        }
        continuation?.resume(returning: answer)
        return continuation != nil
    }
}
