import EventLoop
import Glibc

/// Takes new connections from one listener, on one loop's thread.
///
/// Over the limit the newest is answered 503. When even that many are being closed, or the process is out of
/// descriptors, it pauses until the next tick instead of spinning; the kernel's backlog holds what comes meanwhile.
final class Acceptor {
    /// Connections taken per report, so that a rush doesn't keep the loop from its other work.
    private static let batchSize = 64

    private let descriptor: Int32
    private var watch: EventWatch?
    /// Gets each new descriptor; false pauses.
    private let take: (Int32) -> Bool
    private let whenPaused: () -> Void
    private(set) var isPaused = false

    init(
        descriptor: Int32, loop: EventLoop, whenPaused: @escaping () -> Void, take: @escaping (Int32) -> Bool
    ) throws(EventLoopError) {
        self.descriptor = descriptor
        self.take = take
        self.whenPaused = whenPaused
        watch = try loop.watch(descriptor: descriptor, .readable) { [unowned self] _ in _ = acceptSome() }
        watch?.resume()
    }

    /// Goes on after a pause.
    func retry() {
        guard isPaused else { return }
        isPaused = false
        watch?.resume()
    }

    /// Takes what is waiting, then closes the listener: later connects are refused by the kernel.
    func end(accepting: Bool = true) {
        while accepting, acceptSome() {}
        watch?.cancel()
        watch = nil
        close(descriptor)
    }

    /// - Returns: whether more may be waiting.
    private func acceptSome() -> Bool {
        for _ in 0..<Self.batchSize {
            let result = EventLoop.acceptConnection(on: descriptor)
            if result >= 0 {
                if take(result) { continue }
                pause()
                return false
            }
            switch -result {
            case EAGAIN: return false
            case EINTR, ECONNABORTED, EPROTO: continue
            default:
                pause()
                return false
            }
        }
        return true
    }

    private func pause() {
        isPaused = true
        watch?.pause()
        whenPaused()
    }
}
