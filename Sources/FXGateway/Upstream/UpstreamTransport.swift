import EventLoop
import Foundation

/// Sends single requests to upstream and gives back the answers as they came.
///
/// Each request has a connection of its own, a total deadline and bounded answers. Safe from any thread.
final class UpstreamTransport: Sendable, CustomReflectable {
    /// 1 MiB, some 25 pages of a year's rates.
    static let defaultBodyLimit = 1 << 20
    private static let longestDeadline = Duration.seconds(3_600)

    private let address: UpstreamAddress
    private let userAgent: String
    private let bodyLimit: Int
    /// The value of `Authorization`; nil for anonymous use.
    private let authorization: Locked<Secret?>

    /// Opens no connection yet.
    ///
    /// - Throws: `invalidKey`.
    init(
        _ address: UpstreamAddress, key: Secret?, userAgent: String = "fxgateway",
        bodyLimit: Int = UpstreamTransport.defaultBodyLimit
    ) throws(UpstreamError) {
        self.address = address
        self.userAgent = userAgent
        self.bodyLimit = bodyLimit
        authorization = Locked(try Self.authorization(of: key))
    }

    /// Sets the key of the requests that start from now on; those in flight go on with the old one.
    ///
    /// - Throws: `invalidKey`; the old key then stays.
    func replaceKey(_ key: Secret?) throws(UpstreamError) {
        let new = try Self.authorization(of: key)
        authorization.withLock { $0 = new }
    }

    /// Asks once and waits for the whole answer, whatever its status.
    ///
    /// `path` begins with `/v1/` and is percent-encoded, with its query. `deadline` is the time from this call to the last
    /// byte, an hour at most; at or below zero nothing is sent. `gate` is asked once, directly before the request starts,
    /// if it comes to that.
    ///
    /// - Throws: `notStarted` if the gate said no. After `timedOut`, `cancelled`, `tooLarge`, `connectionLost`, `notHTTP`
    ///   and `other` the request may have been served.
    func get(
        path: String, deadline: Duration, gate: @escaping @Sendable () -> Bool = { true }
    ) async throws(UpstreamError) -> UpstreamAnswer {
        guard deadline > .zero else { throw .timedOut }
        let call = UpstreamCall(
            request(path), until: .now.advanced(by: min(deadline, Self.longestDeadline)))
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // libcurl blocks, and the concurrency pool's few threads must not be.
                Thread.detachNewThread { call.run(gate: gate) { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            call.cancel()
        }
        return try outcome.get()
    }

    /// Shows nothing of the inside, which holds the key.
    var customMirror: Mirror { Mirror(self, children: []) }

    private func request(_ path: String) -> UpstreamRequest {
        var lines = ["Accept: application/json", "Accept-Encoding: identity"]
        if let value = authorization.withLock({ $0 }) { lines.append("Authorization: \(value.reveal())") }
        return UpstreamRequest(
            url: address.description + path, isEncrypted: address.isEncrypted, lines: lines,
            userAgent: userAgent, bodyLimit: bodyLimit)
    }

    /// Upstream refuses keys that were pasted with a newline or quoted by a shell; a line end would add a field of its own.
    private static func authorization(of key: Secret?) throws(UpstreamError) -> Secret? {
        guard let key else { return nil }
        let text = key.reveal()
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .invalidKey }
        return Secret("Bearer \(text)")
    }
}
