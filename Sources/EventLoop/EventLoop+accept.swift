import CLibevent
import Glibc

extension EventLoop {
    /// Takes the next waiting connection of a listener; its descriptor doesn't block and isn't inherited by programs.
    ///
    /// - Returns: the descriptor, or a negative `errno` code. Safe from any thread.
    package static func acceptConnection(on listener: Int32) -> Int32 { fxgw_accept(listener) }
}
