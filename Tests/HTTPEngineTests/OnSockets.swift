import Testing

/// All tests on real sockets, one at a time.
///
/// Their clients block the threads that run tests; two of them at once could keep each other's servers from being
/// drained.
@Suite("HTTP engine", .serialized)
enum OnSockets {}
