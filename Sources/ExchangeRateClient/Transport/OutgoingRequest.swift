public import Foundation

/// One request as it is to be sent.
///
/// Its fields hold the key, so no description shows them.
public struct OutgoingRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// `GET` or `POST`.
    public let method: String
    /// Where to, with the query.
    public let url: URL
    /// The fields of the head beyond those every HTTP library writes by itself, in the order they are sent.
    public let fields: [(name: String, value: String)]
    /// The JSON body of a POST.
    public let body: Data?
    /// The time that is left for the whole exchange.
    public let deadline: Duration
    /// Bytes of the longest body that is wanted.
    public let bodyLimit: Int

    /// Method and host, nothing that could be secret.
    public var description: String { "OutgoingRequest(\(method), \(url.host ?? "no host"))" }

    /// Shows nothing of the inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
