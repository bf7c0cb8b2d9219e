public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends single requests to one API and gives back the answers as they came.
///
/// No redirect is followed, no cookie kept, nothing cached, no password offered; a status is never an error.
/// Each request has a total deadline of its own and a bounded body. Connections are kept alive and reused; libcurl,
/// below URLSession, asks once more on a fresh connection when a reused one turns out closed before any byte of the
/// answer, and nobody else repeats anything here.
///
/// - Warning: On Linux (Swift 6.3, libcurl 7.88) FoundationNetworking stops the whole process with "Transfer
///   completed, but there's no response" when the other side closes the connection in order inside the header
///   section, before a `Content-Length` or `Transfer-Encoding` field has come. Nothing outside Foundation can
///   prevent it. HTTP/2 is not affected; with TLS it takes a peer that says goodbye properly at that point. A service
///   that must not end gives its client a sender of its own: ``ClientConfiguration/sender``.
/// - Note: On Linux the environment variables `http_proxy`, `https_proxy` and `all_proxy` are honoured, for
///   loopback hosts too, and URLSession has no setting against it: unset them, or name the host in `no_proxy`.
/// - Note: Safe from any thread.
public final class RawTransport: Sendable, CustomReflectable {
    /// The longest body a transport accepts unless told otherwise: 1 MiB, some 25 pages of a year's rates.
    public static let defaultBodyLimit = 1_048_576

    /// What requests name as their sender unless told otherwise.
    public static let defaultUserAgent = "ExchangeRateClient/1.0"

    // URLSession wants a timeout in whole seconds and applies it to gaps between bytes. Ours must come first.
    private static let idleTimeoutSeconds = 7_200.0

    /// A stream ends by its silence, not by its length.
    private static let streamTimeoutSeconds = 365 * 86_400.0

    /// The longest time that one exchange may take.
    static let longestDeadline = Duration.seconds(3_600)

    let target: RequestTarget
    let bodyLimit: Int
    private let userAgent: String
    private let delegate = SessionDelegate()
    private let session: URLSession
    private let key: Locked<APIKey?>

    /// Opens no connection yet.
    ///
    /// - Parameters:
    ///   - baseURL: an http or https URL without user information, query and fragment; paths are appended to it.
    ///   - apiKey: sent as `Authorization: Bearer`; nil for anonymous use. Plain http shows it on the way.
    ///   - userAgent: visible ASCII characters and blanks.
    ///   - bodyLimit: bytes of a decoded body, at least 1. Some megabytes of a compressed body may be decoded
    ///     before the limit is seen.
    /// - Throws: `invalidURL`, `invalidKey`.
    public init(
        baseURL: URL, apiKey: String?, userAgent: String = RawTransport.defaultUserAgent,
        bodyLimit: Int = RawTransport.defaultBodyLimit
    ) throws(TransportError) {
        precondition(bodyLimit > 0, "a body limit is at least one byte")
        precondition(Self.mayBeSent(userAgent: userAgent), "a user agent is ASCII text")
        guard let target = RequestTarget(baseURL: baseURL) else { throw .invalidURL }
        self.target = target
        self.bodyLimit = bodyLimit
        key = Locked(try Self.checked(apiKey))
        self.userAgent = userAgent
        session = URLSession(
            configuration: Self.configuration(userAgent: userAgent), delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sets the key of the requests that start from now on; those in flight go on with the old one.
    ///
    /// - Throws: `invalidKey`; the old key then stays.
    public func replaceKey(_ apiKey: String?) throws(TransportError) {
        let new = try Self.checked(apiKey)
        key.withLock { $0 = new }
    }

    /// Asks once and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - path: begins with `/v1/` and is percent-encoded already.
    ///   - query: names and values, not encoded yet, in the order they are sent.
    ///   - deadline: the time from this call to the last byte, cut to one hour; at or below zero nothing is sent.
    ///   - gate: asked once, synchronously, directly before the request starts, if it comes to that.
    /// - Returns: the answer, whatever its status.
    /// - Throws: `notStarted` if the gate said no. After any error but `notStarted`, `invalidURL`, `tls`, `dns` and
    ///   `refused` the request may have been served.
    public func get(
        path: String, query: [(String, String)] = [], deadline: Duration,
        gate: @Sendable () -> Bool = { true }
    ) async throws(TransportError) -> RawAnswer {
        guard let url = target.url(path: path, query: query) else { throw .invalidURL }
        var fields: [(name: String, value: String)] = []
        if let key = key.withLock({ $0 }) { fields.append(("Authorization", key.authorization)) }
        let outgoing = OutgoingRequest(
            method: "GET", url: url, fields: fields, body: nil, deadline: deadline, bodyLimit: bodyLimit)
        return try await send(outgoing, gate: gate)
    }

    /// Sends a request that has its key among its fields, if any, and waits for the whole answer; otherwise like `get`.
    func send(
        _ outgoing: OutgoingRequest, gate: @Sendable () -> Bool = { true }
    ) async throws(TransportError) -> RawAnswer {
        guard outgoing.deadline > .zero else { throw .timedOut }
        let task = session.dataTask(with: Self.request(outgoing))
        let exchange = Exchange(task: task, bodyLimit: outgoing.bodyLimit)
        delegate.register(exchange, for: task)
        defer { delegate.forget(task) }
        // Cancelled and awaited when this scope is left, so no timer outlives its request.
        async let _ = exchange.expire(after: min(outgoing.deadline, Self.longestDeadline))
        let outcome = await withTaskCancellationHandler {
            await exchange.outcome(gate: gate)
        } onCancel: {
            exchange.end(.cancelled)
        }
        return try outcome.get()
    }

    /// Opens an event stream on a session, and so a connection, of its own; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - outgoing: the request; its deadline and body limit don't count.
    ///   - eventLimit: bytes of the longest event.
    ///   - buffer: the most events that wait to be taken.
    ///   - now: the monotonic clock.
    /// - Returns: the connection, which ends when nobody holds it any more.
    func stream(
        _ outgoing: OutgoingRequest, eventLimit: Int, buffer: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) -> OpenStream {
        let delegate = SessionDelegate()
        let configuration = Self.configuration(userAgent: userAgent)
        configuration.timeoutIntervalForResource = Self.streamTimeoutSeconds
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        let task = session.dataTask(with: Self.request(outgoing))
        let exchange = StreamExchange(task: task, eventLimit: eventLimit, buffer: buffer, now: now)
        delegate.register(exchange, for: task)
        return OpenStream(session: session, exchange: exchange)
    }

    /// Shows nothing of the inside, which holds the key.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether it is visible ASCII characters and blanks.
    static func mayBeSent(userAgent: String) -> Bool {
        userAgent.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func request(_ outgoing: OutgoingRequest) -> URLRequest {
        var request = URLRequest(url: outgoing.url, timeoutInterval: idleTimeoutSeconds)
        request.httpMethod = outgoing.method
        request.httpBody = outgoing.body
        for (name, value) in outgoing.fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private static func checked(_ apiKey: String?) throws(TransportError) -> APIKey? {
        guard let apiKey else { return nil }
        guard let key = APIKey(apiKey) else { throw .invalidKey }
        return key
    }

    private static func configuration(userAgent: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // Even an ephemeral session keeps cookies and sends them again.
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = idleTimeoutSeconds
        configuration.timeoutIntervalForResource = idleTimeoutSeconds
        configuration.httpAdditionalHeaders = [
            "Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": userAgent,
        ]
        return configuration
    }
}
