/// What opens the service: upstream's key, or a client's token of a gateway.
///
/// Sent as `Authorization: Bearer` and shown nowhere: no description, mirror or error has it.
public struct Token: Sendable, CustomStringConvertible, CustomReflectable {
    enum Origin: Sendable {
        case fixed(String)
        case asked(@Sendable () async throws -> String?)
    }

    let origin: Origin

    /// A token that doesn't change.
    public init(_ text: String) { origin = .fixed(text) }

    /// A token that is asked for before every try, so that a new one counts at once.
    ///
    /// - Parameter provider: gives the token, nil to ask anonymously. No deadline of a call ends it, so it should answer from memory or
    ///   have a bound of its own. What it throws ends the call with `tokenUnavailable`; a stream that has begun comes back.
    public init(_ provider: @escaping @Sendable () async throws -> String?) { origin = .asked(provider) }

    /// The token of this moment, fit to be sent.
    func current() async throws(ExchangeRateError) -> APIKey? {
        let text: String?
        switch origin {
        case .fixed(let fixed): text = fixed
        case .asked(let provider):
            do {
                text = try await provider()
            } catch {
                throw Task.isCancelled ? .cancelled : .tokenUnavailable
            }
        }
        guard let text else { return nil }
        guard let key = APIKey(text) else { throw .invalidKey }
        return key
    }

    /// A mask.
    public var description: String { "Token(hidden)" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
