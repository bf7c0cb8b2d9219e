public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

    /// An answer as another HTTP library gave it.
    ///
    /// - Parameters:
    ///   - status: 200 to 599; redirects must not have been followed.
    ///   - fields: names in any letter case; repeated fields joined by a comma.
    ///   - body: after content decoding.
    ///   - elapsed: the time from the start of the request to the last byte.
    public init(status: Int, fields: [String: String], body: Data, elapsed: Duration) {
        self.status = status
        self.body = body
        self.elapsed = elapsed
        self.fields = fields.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value }
    }

    /// The value of a field, its name in any letter case; repeated fields come joined by a comma.
    public subscript(field name: String) -> String? { fields[name.lowercased()] }

    /// All fields, the names in lower case.
    public var headers: [String: String] { fields }

    /// What is true of the moment of an answer alone: where a later one leaves it out, it holds no more.
    private static let momentary: Set = ["age", "fx-cooldown-until", "fx-next-refresh"]

    /// This answer with the status and body of an earlier one that it says still holds (304); RFC 9110 §15.4.5.
    ///
    /// Fields of the earlier one stay where this one lacks them, but those of its moment.
    func renewing(_ earlier: RawAnswer) -> RawAnswer {
        let kept = earlier.fields.filter { !Self.momentary.contains($0.key) }
        return RawAnswer(
            status: earlier.status, fields: kept.merging(fields) { _, new in new }, body: earlier.body,
            elapsed: elapsed)
    }
}

extension RawAnswer {
    /// An answer as URLSession gives it.
    init(head: HTTPURLResponse, body: Data, elapsed: Duration) {
        let fields = head.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            guard let name = field.key as? String, let value = field.value as? String else { return }
            fields[name] = value
        }
        self.init(status: head.statusCode, fields: fields, body: body, elapsed: elapsed)
    }
}
