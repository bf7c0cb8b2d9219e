/// One `/v1` request as the simulated upstream received it.
///
/// The key itself is never kept.
package struct CallLogEntry: Equatable, Sendable {
    /// 1 for the first since the start or the last reset.
    package let number: Int
    /// The simulated time of its arrival, milliseconds since 1970.
    package let time: Int64
    /// The real clock at its arrival, milliseconds since 1970.
    package let received: Int64
    package let method: String
    /// Path and query as they came.
    package let target: String
    /// As it was planned; 0 where no status was ever to be sent.
    package internal(set) var status: Int
    /// Whether it came with a key that is accepted.
    package internal(set) var isAuthorized: Bool
    /// How long the answer holds back before its first byte, in milliseconds.
    package internal(set) var delay: Int64 = 0
    /// The seconds that the answer's `Retry-After` asks for; nil where it has none, or another form.
    package internal(set) var retryAfter: Int?
    /// Calls in flight when it arrived, itself included.
    package let concurrent: Int
    /// The client's connection: equal for all requests that one connection brought.
    package let connection: UInt64

    var json: String {
        JSONText.object([
            ("number", String(number)), ("time", String(time)), ("received", String(received)),
            ("method", JSONText.quoted(method)), ("target", JSONText.quoted(target)),
            ("status", String(status)), ("authorized", isAuthorized ? "true" : "false"),
            ("concurrent", String(concurrent)), ("connection", String(connection)),
            ("delay", String(delay)), ("retry_after", retryAfter.map { String($0) } ?? "null"),
        ])
    }
}
