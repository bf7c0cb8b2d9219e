public import Foundation

/// One HTTP answer as it came, whatever its status.
public struct RawAnswer: Sendable {
    /// The HTTP status, 200 to 599.
    ///
    /// Redirects are not followed, so 3xx occurs.
    public let status: Int

    /// The body after content decoding, at most as long as the transport's limit.
    ///
    /// URLSession undoes gzip even though `identity` was asked for. The body of a redirect is left out.
    public let body: Data

    /// The time from the start of the request to the last byte, by a monotonic clock.
    public let elapsed: Duration

    private let fields: [String: String]

    init(status: Int, fields: [String: String], body: Data, elapsed: Duration) {
        self.status = status
        self.body = body
        self.elapsed = elapsed
        self.fields = fields.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value }
    }

    /// The value of a field, its name in any letter case; repeated fields come joined by a comma.
    public subscript(field name: String) -> String? { fields[name.lowercased()] }

    /// All fields, the names in lower case.
    public var headers: [String: String] { fields }
}
