import ExchangeRateClient
import Foundation
import TestSupport
import Testing

@Suite("TLS of the transport", .timeLimit(.minutes(3)))
struct TransportTLSTests {
    @Test("a certificate nobody vouches for is refused")
    func selfSigned() async throws {
        try await TLSServer.run { server in
            let transport = try RawTransport(baseURL: server.url, apiKey: secretKey)
            #expect(await transport.failure() == .tls(.untrusted))
        }
    }
}
