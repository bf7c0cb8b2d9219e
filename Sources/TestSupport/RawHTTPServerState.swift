import Foundation

/// What a raw server's threads share.
///
/// An `NSLock`, since the thread sanitizer takes contention of `Synchronization.Mutex` for a race (Swift 6.3, Linux).
///
/// Sendable: `value` is touched between `lock` and `unlock` only.
final class RawHTTPServerState<Value: Sendable>: @unchecked Sendable {
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
