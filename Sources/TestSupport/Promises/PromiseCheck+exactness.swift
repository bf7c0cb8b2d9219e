extension PromiseCheck {
    /// P7: the digits that came in are those that go out.
    package func exactness() -> [PromiseViolation] {
        judged.compactMap { sample in
            guard let reading = sample.reading, reading.status == 200, let dataTime = reading.dataTime,
                let written = digits[dataTime], reading.digits(of: symbol) != written
            else { return nil }
            let shown = reading.digits(of: symbol) ?? "nothing"
            return PromiseViolation(
                .exactness, "\(symbol) is \(shown), upstream wrote \(written) at \(dataTime), \(sample)",
                at: sample.wall)
        }
    }

    /// P8: no secret stands in anything that was answered, logged or stored.
    ///
    /// Whoever reads this is told which one by its place in the list, never by its text.
    package func secrecy() -> [PromiseViolation] {
        var found: [PromiseViolation] = []
        for (number, secret) in secrets.enumerated() {
            for (place, text) in writings where text.contains(secret) {
                found.append(PromiseViolation(.secrecy, "secret \(number) in \(place)"))
            }
            for sample in answers {
                guard let answer = sample.reading?.answer, Self.contains(answer, secret) else { continue }
                found.append(
                    PromiseViolation(.secrecy, "secret \(number) in an answer, \(sample)", at: sample.wall))
            }
        }
        return found
    }

    private static func contains(_ answer: RawHTTPClient.Answer, _ secret: String) -> Bool {
        answer.text.contains(secret) || answer.fields.contains { $0.value.contains(secret) }
    }
}
