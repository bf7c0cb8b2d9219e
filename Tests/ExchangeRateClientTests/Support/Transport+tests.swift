import ExchangeRateClient
import Foundation
import TestSupport

/// A key of no account, to be searched for where it must not be.
let secretKey = "exr_live_SECRET0123456789"

extension RawHTTPServer {
    /// A transport to this server with the secret key.
    func transport(
        key: String? = secretKey, scheme: String = "http", bodyLimit: Int = RawTransport.defaultBodyLimit
    ) throws -> RawTransport {
        try RawTransport(baseURL: url(scheme: scheme), apiKey: key, bodyLimit: bodyLimit)
    }
}

extension RawTransport {
    /// Asks for the latest table and gives the error, or nil if there was an answer.
    func failure(
        deadline: Duration = .seconds(30), gate: @Sendable () -> Bool = { true }
    ) async -> TransportError? {
        do {
            _ = try await get(path: "/v1/latest/USD", deadline: deadline, gate: gate)
            return nil
        } catch {
            return error
        }
    }

    /// Asks for the latest table with a generous deadline.
    func latest(deadline: Duration = .seconds(30)) async throws(TransportError) -> RawAnswer {
        try await get(path: "/v1/latest/USD", deadline: deadline)
    }
}

/// `http://127.0.0.1:1`, where nobody listens.
func closedPort() throws -> URL {
    try parsedURL("http://127.0.0.1:1")
}

/// A URL, or a thrown error instead of a trap.
func parsedURL(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
}

/// Everything `dump` shows of a value.
func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
}
