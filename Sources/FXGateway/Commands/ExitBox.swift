import EventLoop

/// How a task that the main thread waits for has ended.
///
/// Safe from any thread.
final class ExitBox: Sendable {
    private let held = Locked(ExitCode.failure)

    var code: ExitCode { held.withLock { $0 } }

    func set(_ code: ExitCode) { held.withLock { $0 = code } }
}
