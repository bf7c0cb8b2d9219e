import Synchronization

/// Numbers one after the other.
final class Counting: Sendable {
    private let last = Mutex(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
