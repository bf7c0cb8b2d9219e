import ExchangeRateClient
import Foundation
import TestSupport
import Testing

@Suite("Answers of the transport", .timeLimit(.minutes(3)))
struct TransportAnswerTests {
    @Test("a status is never an error", arguments: [200, 204, 304, 400, 401, 403, 404, 422, 429, 500, 503])
    func everyStatus(status: Int) async throws {
        let body = status == 204 || status == 304 ? "" : #"{"result":"error","code":"some_code"}"#
        try await RawHTTPServer.run([.json(body, status: "\(status) Reason")]) { server in
            let answer = try await server.transport().latest()
            #expect(answer.status == status)
            #expect(String(decoding: answer.body, as: UTF8.self) == body)
        }
    }

    @Test("fields are found in any letter case, repeated ones joined")
    func fields() async throws {
        let fields = [("Retry-After", "49"), ("X-RateLimit-Remaining", "0"), ("Vary", "A"), ("Vary", "B")]
        try await RawHTTPServer.run([.json("{}", fields: fields)]) { server in
            let answer = try await server.transport().latest()
            #expect(answer[field: "retry-after"] == "49")
            #expect(answer[field: "X-RATELIMIT-REMAINING"] == "0")
            #expect(answer[field: "Vary"]?.filter { $0 != " " } == "A,B")
            #expect(answer[field: "Age"] == nil)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.elapsed > .zero)
        }
    }

    @Test(
        "a 401 that asks for a password comes back at once, with its body",
        arguments: ["Basic", "Digest", "Bearer"])
    func passwordChallenge(scheme: String) async throws {
        let fields = [("WWW-Authenticate", #"\#(scheme) realm="rates", nonce="n", qop="auth""#)]
        let body = #"{"result":"error","code":"invalid_api_key"}"#
        try await RawHTTPServer.run([.json(body, status: "401 Unauthorized", fields: fields)]) { server in
            let answer = try await server.transport().latest()
            #expect(answer.status == 401)
            #expect(String(decoding: answer.body, as: UTF8.self) == body)
            #expect(answer.elapsed < .seconds(20))
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        "a redirect is an answer and is not followed",
        arguments: [301, 302, 303, 307, 308],
        ["/v1/other", "http://other.invalid/", "file:///etc/passwd", "self"])
    func redirect(status: Int, location: String) async throws {
        try await RawHTTPServer.run([.hold]) { other in
            let target = location == "self" ? other.url.absoluteString : location
            let fields = [("Location", target)]
            try await RawHTTPServer.run([.json("{}", status: "\(status) Moved", fields: fields)]) { server in
                let answer = try await server.transport().latest()
                #expect(answer.status == status)
                #expect(answer[field: "location"] == target)
                #expect(server.requests.count == 1)
                #expect(other.connections == 0)
            }
        }
    }

    @Test("a redirect to nowhere is an answer", arguments: [nil, "", "http://[::1", "::::"])
    func redirectNowhere(location: String?) async throws {
        let fields = location.map { [("Location", $0)] } ?? []
        try await RawHTTPServer.run([.json("{}", status: "302 Found", fields: fields)]) { server in
            let answer = try await server.transport().latest()
            #expect(answer.status == 302)
        }
    }

    @Test("a body that comes in pieces is put together, chunked or up to the connection's end")
    func pieces() async throws {
        let chunked: [RawHTTPServerStep] = [
            .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            .wait(.milliseconds(20)),
            .text("2\r\nde\r\n"), .wait(.milliseconds(20)), .text("0\r\n\r\n"),
        ]
        let unbounded: [RawHTTPServerStep] = [
            .text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nab"), .wait(.milliseconds(20)), .text("cde"),
            .close,
        ]
        try await RawHTTPServer.run(chunked, unbounded) { server in
            let transport = try server.transport()
            for _ in 0..<2 {
                let answer = try await transport.latest()
                #expect(String(decoding: answer.body, as: UTF8.self) == "abcde")
            }
        }
    }

    @Test("a hundred answers at once keep to their requests")
    func manyAtOnce() async throws {
        try await RawHTTPServer.run({ request, _ in [.json(request.line)] }) { server in
            let transport = try server.transport()
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let path = "/v1/latest/A\(number)"
                        let answer = try await transport.get(path: path, deadline: .seconds(40))
                        return String(decoding: answer.body, as: UTF8.self) == "GET \(path) HTTP/1.1"
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect(server.requests.count == 100)
        }
    }
}
