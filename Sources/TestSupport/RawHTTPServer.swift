package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A loopback TCP server that answers each HTTP/1.1 request with scripted raw bytes.
///
/// It can therefore do what no decent server does: drip, stop half way, lie about lengths, break off. It
/// records what it read. Each connection has its own thread with blocking sockets. Safe from any thread.
package final class RawHTTPServer: Sendable {
    /// What to do in answer to a request; `index` counts all requests of the server from 0.
    package typealias Script =
        @Sendable (_ request: RawHTTPServerRequest, _ index: Int) -> [RawHTTPServerStep]

    struct Record {
        var requests: [RawHTTPServerRequest] = []
        var accepted = 0
        /// Descriptors of open connections, so that `stop` can wake their threads.
        var open: Set<Int32> = []
        var isStopped = false
    }

    /// The port the kernel chose.
    package let port: Int

    let script: Script
    let record = RawHTTPServerState(Record())
    private let listener: Int32

    /// Runs a server for the time of `body`.
    ///
    /// - Parameters:
    ///   - script: the answer to each request; called on the thread of its connection.
    ///   - body: gets the running server; when it returns or throws, all connections are broken off.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, or `POSIXError` if no loopback socket can be had.
    package static func run<Value>(
        _ script: @escaping Script, _ body: (RawHTTPServer) async throws -> Value
    ) async throws -> Value {
        let server = try RawHTTPServer(script: script)
        defer { server.stop() }
        return try await body(server)
    }

    /// Runs a server that answers the n-th request with the n-th list of steps, and the last one from then on.
    package static func run<Value>(
        _ answers: [RawHTTPServerStep]..., body: (RawHTTPServer) async throws -> Value
    ) async throws -> Value {
        precondition(!answers.isEmpty, "a server needs something to answer")
        return try await run({ _, index in answers[min(index, answers.count - 1)] }, body)
    }

    private init(script: @escaping Script) throws {
        self.script = script
        (listener, port) = try LoopbackSocket.open()
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    /// The server's address, `http://127.0.0.1:<port>`.
    package var url: URL { url(scheme: "http") }

    /// The server's address with another scheme, to speak to it in the wrong way.
    package func url(scheme: String) -> URL {
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)") else {
            preconditionFailure("\(scheme) is not a URL scheme")
        }
        return url
    }

    /// The requests read so far, in the order their reading ended.
    package var requests: [RawHTTPServerRequest] { record.withLock { $0.requests } }

    /// The number of connections accepted so far.
    package var connections: Int { record.withLock { $0.accepted } }

    /// The number of connections that are open now.
    package var openConnections: Int { record.withLock { $0.open.count } }

    private func stop() {
        record.withLock { record in
            record.isStopped = true
            // Wakes the connections' threads; each closes its own descriptor.
            for descriptor in record.open { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        // Wakes the accepting thread, which closes the listener.
        _ = shutdown(listener, Int32(SHUT_RDWR))
        LoopbackSocket.knock(port: port)
    }

    private func acceptConnections() {
        defer { close(listener) }
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            let number = record.withLock { record -> Int? in
                guard !record.isStopped else { return nil }
                record.open.insert(descriptor)
                record.accepted += 1
                return record.accepted - 1
            }
            guard let number else {
                close(descriptor)
                return
            }
            LoopbackSocket.prepare(descriptor)
            Thread.detachNewThread { [self] in
                RawHTTPServerConnection(server: self, descriptor: descriptor, number: number).serve()
            }
        }
    }
}
