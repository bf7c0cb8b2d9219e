import Foundation

/// How a call goes: admitted, asked, read, and perhaps once more.
extension ExchangeRateClient {
    func get<Value: Decodable>(
        _ path: String, query: [(String, String)] = [], as type: Value.Type, mayLackResult: Bool = false
    ) async throws(ExchangeRateError) -> Value {
        guard let url = transport.target.url(path: path, query: query) else { throw .invalidBaseURL }
        return try await call { left throws(ExchangeRateError) in
            let answer = try await ask(url, within: left)
            let value = try AnswerReader.read(
                answer, as: type, mayLackResult: mayLackResult, now: surroundings.wall())
            kept.withLock { $0.keep(answer, for: url.absoluteString) }
            return value
        }
    }

    func post<Value: Decodable>(
        _ path: String, query: [(String, String)] = [], json: Data, as type: Value.Type
    ) async throws(ExchangeRateError) -> Value {
        guard let url = transport.target.url(path: path, query: query) else { throw .invalidBaseURL }
        return try await call { left throws(ExchangeRateError) in
            let fields = try await fields() + [("Content-Type", "application/json")]
            let answer = try await send("POST", url, fields: fields, body: json, within: left)
            return try AnswerReader.read(answer, as: type, now: surroundings.wall())
        }
    }

    /// Makes a call and, where it fails and that makes sense, further tries; all within the deadline.
    private func call<Value>(
        _ attempt: (Duration) async throws(ExchangeRateError) -> Value
    ) async throws(ExchangeRateError) -> Value {
        let end = surroundings.now() + min(configuration.deadline, RawTransport.longestDeadline)
        var tries = 0
        while true {
            try await admitted(until: end)
            let failure: ExchangeRateError
            do {
                let value = try await attempt(surroundings.now().duration(to: end))
                retries.withLock { $0.succeed() }
                return value
            } catch {
                failure = error
            }
            let now = surroundings.now()
            let next = retries.withLock {
                $0.next(
                    after: failure, tries: tries, now: now, left: now.duration(to: end),
                    chance: surroundings.chance)
            }
            guard case .again(let wait) = next else { throw failure }
            try await sleep(wait)
            tries += 1
        }
    }

    /// Waits until the client's common pause is over.
    private func admitted(until end: ContinuousClock.Instant) async throws(ExchangeRateError) {
        while true {
            let now = surroundings.now()
            let left = now.duration(to: end)
            switch retries.withLock({ $0.admit(now: now, left: left, chance: surroundings.chance) }) {
            case .go: return
            case .refuse(let error): throw error
            case .wait(let wait): try await sleep(wait)
            }
        }
    }

    private func sleep(_ wait: Duration) async throws(ExchangeRateError) {
        do {
            try await surroundings.sleep(wait)
        } catch {
            throw .cancelled
        }
    }

    /// Asks once: with a condition where an answer is kept, whose body then stands in for that of a 304.
    private func ask(_ url: URL, within left: Duration) async throws(ExchangeRateError) -> RawAnswer {
        var fields = try await fields()
        let entry = kept.withLock { $0.entry(for: url.absoluteString) }
        if let entry { fields.append(("If-None-Match", entry.tag)) }
        let answer = try await send("GET", url, fields: fields, body: nil, within: left)
        guard answer.status == 304, let entry else { return answer }
        return answer.renewing(entry.answer)
    }

    /// The fields of every request: who asks.
    func fields() async throws(ExchangeRateError) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let key = try await configuration.token?.current() {
            fields.append(("Authorization", key.authorization))
        }
        if let name = configuration.clientName { fields.append(("X-Client-Name", name)) }
        return fields
    }

    private func send(
        _ method: String, _ url: URL, fields: [(name: String, value: String)], body: Data?,
        within left: Duration
    ) async throws(ExchangeRateError) -> RawAnswer {
        let outgoing = OutgoingRequest(
            method: method, url: url, fields: fields, body: body, deadline: left,
            bodyLimit: configuration.bodyLimit)
        do {
            guard let sender = configuration.sender else { return try await transport.send(outgoing) }
            return try await sender(outgoing)
        } catch {
            throw ExchangeRateError(
                error, deadline: configuration.deadline, bodyLimit: configuration.bodyLimit)
        }
    }
}
