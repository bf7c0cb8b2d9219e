/// What can go wrong while an event loop or one of its watches is made.
package enum EventLoopError: Error, Equatable {
    /// libevent gave no base: out of memory or descriptors.
    case noBase
    /// The kernel gave no wake-up descriptor; `errno` as it was left.
    case noWakeUp(errno: Int32)
    /// The descriptor can't be watched (closed, or of a kind that epoll refuses).
    case cannotWatch(descriptor: Int32)
    /// The system gave no thread; the code of `pthread_create`.
    case noThread(code: Int32)
}
