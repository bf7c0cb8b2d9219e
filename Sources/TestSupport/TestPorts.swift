import EventLoop
import Glibc

/// Ports for servers of this process alone, below the range that the kernel hands out by itself.
///
/// Several test processes run at once: a port that was free a moment ago could be somebody else's by the time a server
/// binds it. Each process takes a block of ports by locking a file, for as long as it lives. Safe from any thread.
enum TestPorts {
    private static let first = 20_000
    private static let perBlock = 250
    private static let blocks = 48

    private struct State {
        var block: Int?
        var next = 0
    }
    private static let state = Locked(State())

    /// The next port of this process's block that nobody listens on; nil where every block is taken.
    static func next() -> Int? {
        state.withLock { state in
            state.block = state.block ?? takenBlock()
            guard let block = state.block else { return nil }
            for _ in 0..<perBlock {
                let port = first + block * perBlock + state.next
                state.next = (state.next + 1) % perBlock
                if isFree(port) { return port }
            }
            return nil
        }
    }

    /// The first block whose file nobody has locked.
    ///
    /// The descriptor stays open until the process ends.
    private static func takenBlock() -> Int? {
        for block in 0..<blocks {
            let descriptor = open("/tmp/fxgw-test-ports-\(block).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return block }
            close(descriptor)
        }
        return nil
    }

    private static func isFree(_ port: Int) -> Bool {
        guard let (descriptor, _) = try? TCPProxySocket.listen(port: port) else { return false }
        close(descriptor)
        return true
    }
}
