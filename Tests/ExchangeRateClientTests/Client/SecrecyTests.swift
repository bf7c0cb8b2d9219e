import ExchangeRateClient
import Foundation
import TestSupport
import Testing

@Suite("Secrecy of the key", .timeLimit(.minutes(3)))
struct SecrecyTests {
    /// Answers that repeat the key wherever an answer can.
    static let echoes: [(String, [RawHTTPServerStep])] = [
        ("401", [.json(#"{"error":"invalid key \#(secretKey)"}"#, status: "401 \(secretKey)")]),
        (
            "401 with a challenge",
            [.json("{}", status: "401 No", fields: [("WWW-Authenticate", "Basic realm=\"\(secretKey)\"")])]
        ),
        ("code", [.json(#"{"result":"error","code":"\#(secretKey)"}"#, status: "400 Bad")]),
        ("type", [.json(#"{"type":"https://x/\#(secretKey)"}"#, status: "503 Bad")]),
        (
            "redirect",
            [.json("{}", status: "302 Found", fields: [("Location", "https://x.invalid/?k=\(secretKey)")])]
        ),
        ("retry", [.json("{}", status: "429 Slow", fields: [("Retry-After", secretKey)])]),
        ("not found", [.json("<p>\(secretKey)</p>", status: "404 Not Found")]),
        ("member", [.json(#"{"result":"success","base":"USD","rates":{"\#(secretKey)":"x"}}"#)]),
        ("base", [.json(#"{"result":"success","base":"\#(secretKey)","rates":{"EUR":1}}"#)]),
        ("not JSON", [.json("{\(secretKey)")]),
        ("not HTTP", [.text("\(secretKey)\r\n\r\n"), .close]),
        ("bad field", [.text("HTTP/1.1 200 OK\r\n\(secretKey)\r\n\r\n"), .close]),
        ("cut off", [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n\(secretKey)"), .close]),
        ("slow", [.hold]),
    ]

    @Test("no error shows the key, even when the answer repeats it", arguments: echoes)
    func echo(name: String, steps: [RawHTTPServerStep]) async throws {
        try await RawHTTPServer.run(steps) { server in
            let client = try ExchangeRateClient(baseURL: server.url, apiKey: secretKey, deadline: .seconds(2))
            try await expectSecret(client)
            #expect(server.requests.first?.field("Authorization") == "Bearer \(secretKey)")
        }
    }

    @Test("no failure without an answer shows the key")
    func unanswered() async throws {
        for text in ["http://127.0.0.1:1", "http://nonexistent.invalid", "https://127.0.0.1:1"] {
            let client = try ExchangeRateClient(
                baseURL: parsedURL(text), apiKey: secretKey, deadline: .seconds(20))
            try await expectSecret(client)
        }
    }

    @Test("a refused key is not shown")
    func refusedKey() throws {
        let error = try #require(throws: ExchangeRateError.self) {
            try ExchangeRateClient(apiKey: "\(secretKey)\n")
        }
        #expect(!everythingShown(by: error).contains("SECRET"))
        let base = try closedPort()
        let raw = try #require(throws: TransportError.self) {
            _ = try RawTransport(baseURL: base, apiKey: "\(secretKey)\n")
        }
        #expect(!everythingShown(by: raw).contains("SECRET"))
    }

    @Test("a password in the base URL is not shown")
    func password() throws {
        let base = try parsedURL("https://user:SECRET@host")
        let error = try #require(throws: ExchangeRateError.self) {
            try ExchangeRateClient(baseURL: base, apiKey: nil)
        }
        #expect(!everythingShown(by: error).contains("SECRET"))
    }

    private func expectSecret(_ client: ExchangeRateClient) async throws {
        let error = try await #require(throws: ExchangeRateError.self) { try await client.latest() }
        #expect(!everythingShown(by: error).contains("SECRET"))
        #expect(!error.description.isEmpty)
        #expect(!dumped(client).contains("SECRET") && !"\(client)".contains("SECRET"))
    }

    private func everythingShown(by error: any Error) -> String {
        let bridged = error as NSError
        return [
            String(describing: error), String(reflecting: error), error.localizedDescription, dumped(error),
            bridged.description, String(describing: bridged.userInfo),
        ].joined(separator: "\n")
    }
}
