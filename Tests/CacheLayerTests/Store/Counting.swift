import EventLoop

/// Numbers one after the other.
final class Counting: Sendable {
    private let last = Locked(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
