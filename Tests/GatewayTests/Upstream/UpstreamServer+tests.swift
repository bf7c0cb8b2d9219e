import TestSupport

@testable import FXGateway

/// A key of no account, to be searched for where it must not be.
let upstreamTestKey = "exr_live_SECRET0123456789"

extension RawHTTPServer {
    /// A transport to this server with the secret key.
    func transport(
        key: Secret? = Secret(upstreamTestKey), scheme: String = "http",
        bodyLimit: Int = UpstreamTransport.defaultBodyLimit
    ) throws -> UpstreamTransport {
        try UpstreamTransport(
            UpstreamAddress("\(scheme)://127.0.0.1:\(port)"), key: key, userAgent: "test/1",
            bodyLimit: bodyLimit)
    }
}

extension UpstreamTransport {
    /// Asks for the latest table with a generous deadline.
    func latest(deadline: Duration = .seconds(30)) async throws(UpstreamError) -> UpstreamAnswer {
        try await get(path: "/v1/latest/USD", deadline: deadline)
    }

    /// Asks for the latest table and gives the error, or nil if there was an answer.
    func failure(
        deadline: Duration = .seconds(30), gate: @escaping @Sendable () -> Bool = { true }
    ) async -> UpstreamError? {
        do throws(UpstreamError) {
            _ = try await get(path: "/v1/latest/USD", deadline: deadline, gate: gate)
            return nil
        } catch {
            return error
        }
    }
}
