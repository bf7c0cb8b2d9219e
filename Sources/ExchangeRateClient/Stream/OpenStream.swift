import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session of one stream's connection; the connection ends when nobody holds it any more.
///
/// Sendable: nothing changes; URLSession may be used from any thread.
final class OpenStream: Sendable, CustomReflectable {
    let exchange: StreamExchange
    private let session: URLSession

    init(session: URLSession, exchange: StreamExchange) {
        self.session = session
        self.exchange = exchange
    }

    /// Shows nothing of the inside, whose request holds the token.
    var customMirror: Mirror { Mirror(self, children: []) }

    deinit {
        exchange.end(.failed(.cancelled))
        session.finishTasksAndInvalidate()
    }
}
