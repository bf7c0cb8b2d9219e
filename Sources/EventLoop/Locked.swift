import Glibc

/// A value that only one thread at a time can reach.
///
/// `Synchronization.Mutex` would do, but on Linux (Swift 6.3) its path for contended locks lies in a library that the
/// thread sanitizer doesn't see: every contended access is reported as a race, and a real one would be buried. A pthread
/// mutex is known to it.
///
/// Sendable: `value` is touched between lock and unlock only.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Gives `body` the value alone; `body` must not come back to the same lock.
    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
