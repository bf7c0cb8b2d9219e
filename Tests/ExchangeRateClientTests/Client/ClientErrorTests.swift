import ExchangeRateClient
import Foundation
import TestSupport
import Testing

@Suite("Errors of the client", .timeLimit(.minutes(3)))
struct ClientErrorTests {
    static let verdicts: [(status: Int, body: String, retryAfter: String?, expected: ExchangeRateError)] = [
        (400, error("missing_parameter"), nil, .status(400, code: .missingParameter)),
        (400, error("bad_date"), nil, .status(400, code: .badDate)),
        (400, error("invalid_amount"), nil, .status(400, code: .invalidAmount)),
        (400, error("invalid_request"), nil, .status(400, code: .invalidRequest)),
        (400, error("a_new_word"), nil, .status(400, code: nil)),
        (401, error("invalid_api_key"), nil, .unauthorized),
        (401, #"{"error":"wrong key"}"#, nil, .unauthorized),
        (400, error("invalid_api_key"), nil, .unauthorized),
        (200, error("invalid_api_key"), nil, .unauthorized),
        (403, error("forbidden"), nil, .forbidden),
        (403, "", nil, .forbidden),
        (403, error("quota_exceeded"), nil, .quotaExceeded(wait: nil)),
        (429, error("quota_exceeded"), "1331869", .quotaExceeded(wait: .seconds(1_331_869))),
        (200, error("quota_exceeded"), nil, .quotaExceeded(wait: nil)),
        (404, error("unsupported_base"), nil, .status(404, code: .unsupportedBase)),
        (404, error("no_data_for_date"), nil, .status(404, code: .noDataForDate)),
        (422, error("invalid_pair"), nil, .status(422, code: .invalidPair)),
        (422, error("unsupported_base"), nil, .status(422, code: .unsupportedBase)),
        (429, error("rate_limited"), "49", .rateLimited(wait: .seconds(49))),
        (429, error("ip_rate_limited"), "3469", .rateLimited(wait: .seconds(3_469))),
        (429, "", nil, .rateLimited(wait: nil)),
        (429, "<html>", "soon", .rateLimited(wait: nil)),
        (500, error("internal_error"), nil, .status(500, code: .internalError)),
        (502, error("data_unavailable"), nil, .unavailable(wait: nil, code: .dataUnavailable)),
        (503, error("live_unavailable"), "30", .unavailable(wait: .seconds(30), code: .liveUnavailable)),
        (503, error("service_unavailable"), nil, .unavailable(wait: nil, code: .serviceUnavailable)),
        (503, "<html><body>503</body></html>", nil, .unavailable(wait: nil, code: nil)),
        (
            503, #"{"type":"https://x.example/problems/upstream-cooldown","title":"t","result":"error"}"#,
            "12",
            .unavailable(wait: .seconds(12), code: .upstreamCooldown)
        ),
        (200, error("data_unavailable"), nil, .notSuccess(code: .dataUnavailable)),
        (200, #"{"success":false,"error":{"code":105,"type":"x"}}"#, nil, .notSuccess(code: nil)),
        (200, #"{"error":"limit exceeded"}"#, nil, .notSuccess(code: nil)),
        (200, #"{"error":{"code":"live_unavailable"}}"#, nil, .notSuccess(code: .liveUnavailable)),
        (200, "{}", nil, .notSuccess(code: nil)),
        (200, #"{"result":null,"base":"USD","rates":{"EUR":0.9}}"#, nil, .notSuccess(code: nil)),
        (200, #"{"base":"USD","rates":{"EUR":0.9}}"#, nil, .notSuccess(code: nil)),
        (200, "", nil, .undecodable(member: "body")),
        (200, "null", nil, .undecodable(member: "body")),
        (200, "[]", nil, .undecodable(member: "body")),
        (200, "<html></html>", nil, .undecodable(member: "body")),
        (204, "", nil, .undecodable(member: "body")),
        (200, success(#""base":"USD","rates":{}"#), nil, .undecodable(member: "rates")),
        (200, success(#""base":"USD","rates":[]"#), nil, .undecodable(member: "rates")),
        (200, success(#""base":"USD","rates":{"EUR":"x"}"#), nil, .undecodable(member: "rates")),
        (200, success(#""rates":{"EUR":0.9}"#), nil, .undecodable(member: "base")),
        (200, success(#""base":"EUR","rates":{"USD":1.1}"#), nil, .undecodable(member: "base")),
        (
            200, success(#""base":"USD","rates":{"EUR":0.9},"timestamp":"x""#), nil,
            .undecodable(member: "timestamp")
        ),
        (302, "", nil, .redirected(status: 302)),
        (304, "", nil, .status(304, code: nil)),
    ]

    @Test("status, code and body together tell what went wrong", arguments: verdicts)
    func verdict(status: Int, body: String, retryAfter: String?, expected: ExchangeRateError) async throws {
        let fields = retryAfter.map { [("Retry-After", $0)] } ?? []
        try await RawHTTPServer.run([.json(body, status: "\(status) Reason", fields: fields)]) { server in
            let client = try ExchangeRateClient(baseURL: server.url, apiKey: secretKey)
            await #expect(throws: expected) { try await client.latest() }
        }
    }

    @Test("a list of currencies needs no result, but says no to a failure")
    func currencies() async throws {
        try await RawHTTPServer.run([.json(#"{"error":"limit exceeded"}"#)], [.json("{}")]) { server in
            let client = try ExchangeRateClient(baseURL: server.url, apiKey: nil)
            await #expect(throws: ExchangeRateError.notSuccess(code: nil)) { try await client.currencies() }
            await #expect(throws: ExchangeRateError.undecodable(member: "currencies")) {
                try await client.currencies()
            }
        }
    }

    @Test("an answer about another pair, amount or batch is no answer")
    func otherAnswers() async throws {
        try await RawHTTPServer.run(
            [.json(OtherSample.direct)], [.json(OtherSample.flatConversion)], [.json(OtherSample.batch)]
        ) { server in
            let client = try ExchangeRateClient(baseURL: server.url, apiKey: nil)
            await #expect(throws: ExchangeRateError.undecodable(member: "quote")) {
                try await client.rate(base: "CHF", quote: "USD")
            }
            await #expect(throws: ExchangeRateError.undecodable(member: "to")) {
                try await client.convert(250, from: "CHF", to: "EUR")
            }
            await #expect(throws: ExchangeRateError.undecodable(member: "conversions")) {
                try await client.convert([("SEK", 20)], from: "CHF")
            }
        }
    }

    @Test("failures of the transport keep their kind")
    func transport() async throws {
        let refused = try ExchangeRateClient(baseURL: closedPort(), apiKey: nil)
        await #expect(throws: ExchangeRateError.refused) { try await refused.latest() }
        let unknown = try ExchangeRateClient(
            baseURL: parsedURL("http://nonexistent.invalid"), apiKey: nil, deadline: .seconds(50))
        await #expect(throws: ExchangeRateError.dns) { try await unknown.latest() }
        try await RawHTTPServer.run([.hold]) { server in
            let hasty = try ExchangeRateClient(baseURL: server.url, apiKey: nil, deadline: .milliseconds(200))
            await #expect(throws: ExchangeRateError.timedOut(after: .milliseconds(200))) {
                try await hasty.latest()
            }
        }
        try await RawHTTPServer.run([.json(TableSample.live)]) { server in
            let small = try ExchangeRateClient(baseURL: server.url, apiKey: nil, bodyLimit: 100)
            await #expect(throws: ExchangeRateError.bodyTooLarge(limitBytes: 100)) {
                try await small.latest()
            }
        }
        try await RawHTTPServer.run([.text("nothing"), .close]) { server in
            let secure = try ExchangeRateClient(baseURL: server.url(scheme: "https"), apiKey: nil)
            await #expect(throws: ExchangeRateError.tls(.handshake)) { try await secure.latest() }
        }
    }
}

private func error(_ code: String) -> String {
    #"{"result":"error","code":"\#(code)","message":"Some text."}"#
}

private func success(_ members: String) -> String {
    #"{"result":"success",\#(members)}"#
}
