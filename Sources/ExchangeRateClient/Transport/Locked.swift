import Foundation

/// A value that only one thread at a time can reach.
///
/// `Synchronization.Mutex` would do, but on Linux (Swift 6.3) its path for contended locks lies in a library that
/// the thread sanitizer doesn't see, so every contended access is reported as a race and would bury a real one.
/// `NSLock` is a pthread mutex, which the sanitizer knows.
///
/// Sendable: `value` is touched between `lock` and `unlock` only.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Gives `body` the value alone; `body` must not come back to the same lock.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
