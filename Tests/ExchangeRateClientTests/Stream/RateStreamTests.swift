import Foundation
import TestSupport
import Testing

@testable import ExchangeRateClient

@Suite("Streams of rates", .timeLimit(.minutes(3)))
struct RateStreamTests {
    private static let head = RawHTTPServerStep.text(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")

    private static func table(_ id: String, gap: Bool = false) -> RawHTTPServerStep {
        .text(
            "event: snapshot\nid: \(id)\ndata: {\"result\":\"success\",\"base\":\"EUR\",\"rates\":{\"USD\":1.1196},"
                + "\"cache\":{\"state\":\"fresh\"},\"stream\":{\"resource\":\"latest:USD\",\"gap\":\(gap)}}\n\n"
        )
    }

    private static func client(_ server: RawHTTPServer, _ time: ManualTime) throws -> ExchangeRateClient {
        try ExchangeRateClient(
            .gateway(server.url, token: Token(secretKey)), surroundings: time.surroundings())
    }

    @Test("comes back after the server's wait with the id of the last table, and tells of the break")
    func comesBack() async throws {
        let time = ManualTime.still()
        try await RawHTTPServer.run(
            [Self.head, .text("retry: 2404\n\n"), Self.table("01A-1"), .close],
            [Self.head, Self.table("01A-2", gap: true), .hold]
        ) { server in
            let stream = try Self.client(server, time).stream(base: "eur", symbols: ["usd"])
            var events = stream.makeAsyncIterator()
            guard case .table(let first)? = try await events.next() else {
                Issue.record("no table")
                return
            }
            #expect(
                first.id == "01A-1" && first.latest.rates["USD"] == Decimal(string: "1.1196") && !first.hasGap
            )
            #expect(first.resource == "latest:USD" && first.cache?.state == .fresh)
            let broken = try await events.next()
            #expect(broken == .interrupted(.connectionLost, wait: .milliseconds(2_404)))
            async let moved: Void = Self.advance(time, by: .milliseconds(2_404))
            guard case .table(let second)? = try await events.next() else {
                Issue.record("no table")
                return
            }
            await moved
            #expect(second.id == "01A-2" && second.hasGap)
            let requests = server.requests
            #expect(
                requests.map(\.line)
                    == Array(repeating: "GET /v1/stream?base=EUR&symbols=USD HTTP/1.1", count: 2))
            #expect(requests.map { $0.field("Last-Event-ID") } == [nil, "01A-1"])
            #expect(requests.allSatisfy { $0.field("Authorization") == "Bearer \(secretKey)" })
            #expect(requests.allSatisfy { $0.field("Accept") == "text/event-stream" })
        }
    }

    /// Moves the clock once the stream sleeps before it comes back.
    private static func advance(_ time: ManualTime, by wait: Duration) async {
        _ = await eventually { time.untilNextWaking == wait }
        time.advance(by: wait)
    }

    @Test("a connection on which nothing comes for 45 s counts as lost")
    func silence() async throws {
        let time = ManualTime.still()
        try await RawHTTPServer.run([Self.head, Self.table("01A-1"), .hold]) { server in
            var events = try Self.client(server, time).stream(base: "EUR").makeAsyncIterator()
            _ = try await events.next()
            async let moved: Void = Self.advance(time, by: RateStream.silence)
            let event = try await events.next()
            await moved
            #expect(event == .interrupted(.timedOut(after: RateStream.silence), wait: .seconds(3)))
        }
    }

    @Test("ends on cancellation, and drops its connection")
    func cancelled() async throws {
        try await RawHTTPServer.run([Self.head, Self.table("01A-1"), .hold]) { server in
            let stream = try ExchangeRateClient(.gateway(server.url)).stream(base: "EUR")
            let reader = Task {
                var count = 0
                for try await _ in stream { count += 1 }
                return count
            }
            #expect(await eventually { server.openConnections == 1 && !server.requests.isEmpty })
            reader.cancel()
            #expect(try await reader.value <= 1)
            #expect(await eventually { server.openConnections == 0 })
        }
    }

    @Test(
        "a refusal for good is thrown, also as the gateway's last word",
        arguments: [
            (
                [RawHTTPServerStep.json(#"{"type":"urn:fxgateway:problem:forbidden"}"#, status: "403 No")],
                ExchangeRateError.forbidden
            ),
            (
                [.json(#"{"type":"urn:fxgateway:problem:unsupported-base"}"#, status: "422 No")],
                .status(422, code: .unsupportedBase)
            ),
            ([.json(TableSample.live)], .undecodable(member: "stream")),
            (
                [head, .text("event: end\nretry: 500\ndata: {\"reason\":\"revoked\"}\n\n"), .close],
                .forbidden
            ),
            (
                [head, .text("event: end\nretry: 500\ndata: {\"reason\":\"unsupported\"}\n\n"), .close],
                .status(422, code: nil)
            ),
            ([head, .text("event: snapshot\nid: a\ndata: {}\n\n"), .close], .notSuccess(code: nil)),
        ])
    func refused(steps: [RawHTTPServerStep], expected: ExchangeRateError) async throws {
        try await RawHTTPServer.run(steps) { server in
            let stream = try ExchangeRateClient(.gateway(server.url)).stream(base: "EUR")
            await #expect(throws: expected) {
                for try await event in stream { Issue.record("\(event)") }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test("a gateway that stops says so, and the next connection follows its wait without a break to tell")
    func draining() async throws {
        let time = ManualTime.still()
        try await RawHTTPServer.run(
            [
                Self.head, Self.table("01A-1"),
                .text("event: end\nretry: 700\ndata: {\"reason\":\"draining\"}\n\n"), .close,
            ],
            [Self.head, Self.table("01A-2"), .hold]
        ) { server in
            var events = try Self.client(server, time).stream(base: "EUR").makeAsyncIterator()
            _ = try await events.next()
            async let moved: Void = Self.advance(time, by: .milliseconds(700))
            guard case .table(let second)? = try await events.next() else {
                Issue.record("no table")
                return
            }
            await moved
            #expect(second.id == "01A-2" && server.requests.count == 2)
        }
    }

    @Test("a token that can't be had once is told and asked for again; at the beginning it ends the stream")
    func tokenAway() async throws {
        struct Away: Error {}
        let time = ManualTime.still()
        let asked = ScriptedCounter()
        let token = Token {
            if asked.next() == 1 { throw Away() }
            return secretKey
        }
        try await RawHTTPServer.run(
            [Self.head, Self.table("01A-1"), .close], [Self.head, Self.table("01A-2"), .hold]
        ) { server in
            let client = try ExchangeRateClient(
                .gateway(server.url, token: token), surroundings: time.surroundings())
            var events = try client.stream(base: "EUR").makeAsyncIterator()
            _ = try await events.next()
            #expect(try await events.next() == .interrupted(.connectionLost, wait: .seconds(3)))
            async let moved: Void = Self.advance(time, by: .seconds(3))
            #expect(try await events.next() == .interrupted(.tokenUnavailable, wait: .seconds(6)))
            await moved
            async let again: Void = Self.advance(time, by: .seconds(6))
            guard case .table(let second)? = try await events.next() else {
                Issue.record("no table")
                return
            }
            await again
            #expect(second.id == "01A-2" && !dumped(events).contains("SECRET"))
        }
        let never = try ExchangeRateClient(
            .gateway(try parsedURL("http://gateway.test"), token: Token { throw Away() }))
        await #expect(throws: ExchangeRateError.tokenUnavailable) {
            for try await event in try never.stream(base: "EUR") { Issue.record("\(event)") }
        }
    }

    @Test("a TLS handshake that is cut is a lost connection: told, and tried again")
    func cutHandshake() async throws {
        let time = ManualTime.still()
        try await RawHTTPServer.run([.text("nothing"), .close]) { server in
            let client = try ExchangeRateClient(
                .gateway(server.url(scheme: "https")), surroundings: time.surroundings())
            var events = try client.stream(base: "EUR").makeAsyncIterator()
            let cut = try await events.next()
            #expect(cut == .interrupted(.tls(.handshake), wait: .seconds(3)))
            async let moved: Void = Self.advance(time, by: .seconds(3))
            let again = try await events.next()
            await moved
            #expect(again == .interrupted(.tls(.handshake), wait: .seconds(6)))
        }
    }

    @Test(
        "a certificate that can't be trusted ends the stream",
        arguments: [TLSFailure.untrusted, .expired, .wrongHost])
    func badCertificate(failure: TLSFailure) {
        var recovery = StreamRecovery()
        let next = recovery.next(after: .tls(failure)) { _ in .zero }
        #expect(next == .stop(.tls(failure)))
    }

    @Test("waits grow to a minute, are never shorter than told, and start anew with an event")
    func recovery() {
        var recovery = StreamRecovery()
        recovery.adopt(retry: .seconds(4))
        let lost = (0..<6).map { _ in recovery.next(after: .connectionLost) { _ in .zero } }
        #expect(lost == [4, 8, 16, 32, 60, 60].map { .comeBack(after: .seconds($0)) })
        recovery.succeed()
        let told = recovery.next(after: .unavailable(wait: .seconds(9), code: .overloaded)) { $0 }
        #expect(told == .comeBack(after: .milliseconds(13_500)))
        let never = recovery.next(after: .rateLimited(wait: .seconds(7_200))) { _ in .zero }
        #expect(never == .stop(.rateLimited(wait: .seconds(7_200))))
    }
}
