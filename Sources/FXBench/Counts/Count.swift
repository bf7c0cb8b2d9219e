/// What is counted of a request.
enum Count: String, CaseIterable {
    /// Calls of malloc and its kin on the event loop's thread, per request.
    case allocations
    /// Instructions of the event loop's thread outside of the kernel, per request.
    case instructions
    /// System calls of the event loop's thread, per request.
    case syscalls
    /// Calls that send, per batch of requests that came together.
    case writes
}
