import EventLoop
import Glibc
import Synchronization

/// A fault proxy between two real ends on loopback, controlled while it runs.
///
/// Safe from any thread; each verb has had its effect when it returns.
package final class TCPProxy: Sendable {
    package let port: Int
    private let loop: EventLoop
    private let state: TCPProxyState

    /// Listens on a free port and passes everything on to `serverPort`.
    package init(to serverPort: Int) throws {
        let (descriptor, port) = try TCPProxySocket.listen()
        self.port = port
        loop = try EventLoop(name: "tcp-proxy")
        state = TCPProxyState(listener: descriptor, port: port, serverPort: serverPort, loop: loop)
        try state.listen()
        try loop.start()
    }

    /// Connections accepted so far.
    package var accepted: Int { state.accepted.load(ordering: .relaxed) }

    /// Connections that hold bytes back now, as `hold` told them to.
    package var holding: Int { state.holding.load(ordering: .relaxed) }

    /// From the next bytes to the server that contain `marker` on, lets nothing pass in this direction on that connection.
    ///
    /// So a process can be met between two of its steps: towards the server the marked bytes themselves are held, towards
    /// the client whatever answers them. What is held waits for `release`, in its order, and is gone with its connection.
    package func hold(_ direction: TCPProxyDirection, after marker: String) async {
        await act { $0.hold(TCPProxyHold(direction: direction, marker: Array(marker.utf8))) }
    }

    /// Passes on what is held, and holds what another marker begins from the same moment on.
    package func pass(thenHold direction: TCPProxyDirection, after marker: String) async {
        await act {
            $0.hold(nil)
            $0.hold(TCPProxyHold(direction: direction, marker: Array(marker.utf8)))
        }
    }

    /// Passes on what is held, and holds nothing any more.
    package func release() async { await act { $0.hold(nil) } }

    /// Passes new connections on to another port; those that are open stay where they are.
    package func aim(at serverPort: Int) async { await act { $0.aim(at: serverPort) } }

    /// Does this from now on, to open connections and new ones.
    package func set(_ fault: TCPProxyFault) async { await act { $0.set(fault) } }

    /// Holds each chunk back for so long.
    package func set(latency: Duration, _ direction: TCPProxyDirection) async {
        await act { $0.set(latency: latency, direction) }
    }

    /// Resets each connection once so many further bytes have passed; nil lifts it.
    package func set(allowance: Int?, _ direction: TCPProxyDirection) async {
        await act { $0.set(allowance: allowance, direction) }
    }

    /// Resets all open connections now.
    package func reset() async { await act { $0.reset() } }

    /// Ends it and all its connections.
    package func stop() async {
        await act { $0.stop() }
        loop.stop()
        loop.join()
    }

    private func act(_ body: @escaping @Sendable (TCPProxyState) -> Void) async {
        _ = await loop.perform { [state] in body(state) }
    }
}
