import Foundation
import TestSupport
import Testing

@testable import ExchangeRateClient

@Suite("Further tries of the client", .timeLimit(.minutes(3)))
struct RetryTests {
    @Test("a failure that passes is waited out: by Retry-After, else by waits that double")
    func waits() async throws {
        let service = ScriptedService { index in
            switch index {
            case 0: ScriptedService.problem(503, "warming-up", retryAfter: 3)
            case 1: .failure(.connectionLost)
            case 2: ScriptedService.answer(502, "<html>")
            default: ScriptedService.answer()
            }
        }
        let client = try service.client()
        async let latest = client.latest()
        for (count, wait) in [(1, Duration.seconds(3)), (2, .milliseconds(200)), (3, .milliseconds(400))] {
            await service.time.sleepers(atLeast: 1)
            #expect(service.requests.count == count)
            #expect(service.time.untilNextWaking == wait)
            service.time.advance(by: wait)
        }
        #expect(try await latest.base == "USD")
        #expect(service.requests.count == 4)
    }

    @Test(
        "what doesn't pass is not tried again",
        arguments: [
            (400, "invalid-request"), (401, "unauthorized"), (403, "forbidden"), (404, "not-found"),
            (408, "request-timeout"), (409, "refresh-refused"), (410, "gone"), (422, "invalid-pair"),
            (501, "not-implemented"), (503, "quota-exhausted"), (503, "upstream-key-rejected"),
            (504, "only-if-cached"),
        ])
    func never(status: Int, word: String) async throws {
        let service = ScriptedService { _ in ScriptedService.problem(status, word, retryAfter: 1) }
        let client = try service.client()
        await #expect(throws: ExchangeRateError.self) { try await client.latest() }
        #expect(service.requests.count == 1)
    }

    @Test("a service that fails altogether gets no more than the budget on top")
    func budget() async throws {
        let service = ScriptedService { _ in .failure(.connectionLost) }
        let client = try service.client(waits: false)
        for _ in 0..<40 {
            await #expect(throws: ExchangeRateError.connectionLost) { try await client.latest() }
        }
        #expect(service.requests.count == 40 + 10)
    }

    @Test("a 429 makes all calls of the client wait once, also those of its copies")
    func shared() async throws {
        let service = ScriptedService { index in
            index == 0
                ? ScriptedService.problem(429, "allowance-spent", retryAfter: 5) : ScriptedService.answer()
        }
        let client = try service.client()
        async let first = client.latest()
        await service.time.sleepers(atLeast: 1)
        let copy = client.wishing(.none)
        async let second = copy.latest()
        async let third = client.rate(base: "USD", quote: "EUR")
        await service.time.sleepers(atLeast: 3)
        #expect(service.requests.count == 1)
        service.time.advance(by: .milliseconds(4_999))
        // Who woke too early would sleep no more.
        #expect(service.time.untilNextWaking == .milliseconds(1))
        await service.time.sleepers(atLeast: 3)
        #expect(service.requests.count == 1)
        service.time.advance(by: .milliseconds(1))
        _ = try await (first, second)
        _ = try? await third
        #expect(service.requests.count == 4)
    }

    @Test("a pause longer than a call sits out refuses the others at once, without a request")
    func longPause() async throws {
        let service = ScriptedService { _ in ScriptedService.problem(429, "allowance-spent", retryAfter: 60) }
        let client = try service.client()
        await #expect(throws: ExchangeRateError.rateLimited(wait: .seconds(60))) { try await client.latest() }
        service.time.advance(by: .seconds(20))
        await #expect(throws: ExchangeRateError.rateLimited(wait: .seconds(40))) { try await client.latest() }
        #expect(service.requests.count == 1)
        service.time.advance(by: .seconds(40))
        await #expect(throws: ExchangeRateError.rateLimited(wait: .seconds(60))) { try await client.latest() }
        #expect(service.requests.count == 2)
    }

    @Test("no wait goes beyond the call's deadline, and upstream's own client never tries again")
    func deadline() async throws {
        let service = ScriptedService { _ in ScriptedService.problem(503, "warming-up", retryAfter: 5) }
        let hasty = try service.client(deadline: .seconds(4))
        await #expect(throws: ExchangeRateError.unavailable(wait: .seconds(5), code: .warmingUp)) {
            try await hasty.latest()
        }
        let plain = try service.client(retry: .none)
        await #expect(throws: ExchangeRateError.self) { try await plain.latest() }
        #expect(service.requests.count == 2)
    }

    @Test("a cancelled call leaves its wait")
    func cancelled() async throws {
        let service = ScriptedService { _ in ScriptedService.problem(503, "warming-up", retryAfter: 5) }
        let client = try service.client()
        let call = Task { try await client.latest() }
        await service.time.sleepers(atLeast: 1)
        call.cancel()
        let result = await call.result
        #expect(throws: ExchangeRateError.cancelled) { try result.get() }
    }

    @Test("chance only ever lengthens a wait that was told")
    func spread() {
        var state = RetryState(.standard)
        let now = ContinuousClock.now
        let error = ExchangeRateError.unavailable(wait: .seconds(4), code: .warmingUp)
        let next = state.next(after: error, tries: 0, now: now, left: .seconds(60)) { $0 - .milliseconds(1) }
        #expect(next == .again(after: .milliseconds(4_999)))
    }

    @Test("a token is asked for before each try, and a source that fails ends the call")
    func token() async throws {
        let service = ScriptedService { $0 == 0 ? .failure(.connectionLost) : ScriptedService.answer() }
        let numbers = ScriptedCounter()
        let client = try service.client(token: Token { "token-\(numbers.next())" })
        async let latest = client.latest()
        await service.time.sleepers(atLeast: 1)
        service.time.advance(by: .seconds(1))
        _ = try await latest
        let sent = service.requests.map { $0.fields.first { $0.name == "Authorization" }?.value }
        #expect(sent == ["Bearer token-0", "Bearer token-1"])
        #expect(
            !"\(client) \(dumped(client)) \(service.requests) \(dumped(service.requests))".contains("token-"))
        let keyless = try service.client(token: Token { throw URLError(.unknown) })
        await #expect(throws: ExchangeRateError.tokenUnavailable) { try await keyless.latest() }
    }
}
