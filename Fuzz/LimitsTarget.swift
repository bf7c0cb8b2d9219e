@testable import CacheLayer

/// What an answer says about limits, and all forms of times.
///
/// The input: a status byte, then code, Retry-After, the two resets, Remaining and Date with bytes of 0xFF between them.
enum LimitsTarget {
    private static let now = UnixMilliseconds(1_789_482_732_000)  // 2026-09-15T14:32:12Z
    private static let statuses = [200, 401, 403, 429, 500, 503, 304, 402]

    static func run(_ bytes: [UInt8]) {
        let status = statuses[Int(bytes.first ?? 0) % statuses.count]
        let parts = Parts.split(Array(bytes.dropFirst()), most: 6).map { $0.isEmpty ? nil : Parts.text($0) }
        for part in parts.compactMap({ $0 }) {
            date(Array(part.utf8))
            timestamp(part)
            wait(part)
        }
        let answer = LimitAnswer(
            status: status, code: parts.at(0) ?? nil, retryAfter: parts.at(1) ?? nil,
            reset: parts.at(2) ?? nil, draftReset: parts.at(3) ?? nil, remaining: parts.at(4) ?? nil,
            date: parts.at(5) ?? nil)
        for clock in [now, UnixMilliseconds(0), UnixMilliseconds(253_402_300_799_999)] {
            cooldown(answer, clock)
            if let reading = RemainingReading(answer, now: clock), let left = reading.monthly {
                claim((0...RetryFieldText.mostNumber).contains(left), "\(left) calls remain")
            }
        }
    }

    private static func cooldown(_ answer: LimitAnswer, _ now: UnixMilliseconds) {
        guard case .pause(let reading) = UpstreamVerdict(answer, of: .currencies, now: now) else {
            // A code that says something else decides before the status.
            return claim(answer.status != 429 || answer.code != nil, "\(answer.status) asks for no pause")
        }
        switch reading.scope {
        case .short: claim(CooldownReading.range.contains(reading.wait), "a short pause of \(reading.wait)")
        case .key: claim(reading.wait == CooldownReading.keyWait, "a key's pause of \(reading.wait)")
        case .month:
            let longest = LimitReset.farthest + CooldownReading.monthMargin
            claim(reading.wait > .zero && reading.wait <= longest, "a month's pause of \(reading.wait)")
        }
    }

    /// A field of several values is the longest of them, whatever their order.
    private static func wait(_ text: String) {
        guard let field = RetryAfter(text, now: now) else { return }
        let wait = field.wait(from: now)
        claim(wait <= .seconds(RetryFieldText.mostNumber * 3), "a wait of \(wait)")
        claim(RetryAfter(" \(text)\t", now: now) == field, "blanks around it make another wait")
        claim(RetryAfter("\(text), soon", now: now) == field, "a word behind it makes another wait")
        if case .seconds(let seconds) = field {
            claim(RetryAfter("\(seconds)", now: now) == field, "\(seconds) s aren't read back")
        }
    }

    /// Whatever is read as a date is written as one that is read as the same.
    private static func date(_ bytes: [UInt8]) {
        guard let instant = HTTPDate.instant(of: bytes, now: now) else { return }
        let text = instant.httpDate
        claim(HTTPDate.instant(of: text.utf8, now: now) == instant, "\(Parts.text(bytes)) became \(text)")
        guard text.utf8.count == bytes.count, !Parts.text(bytes).contains(":60") else { return }
        // Only the name of the day may be another one: it isn't compared with the date.
        claim(Array(text.utf8.dropFirst(3)) == Array(bytes.dropFirst(3)), "\(Parts.text(bytes)): \(text)")
    }

    private static func timestamp(_ text: String) {
        if let epoch = try? Timestamp(epoch: text) {
            let seconds = epoch.instant.value / 1_000 * 1_000
            let again = try? Timestamp(rfc3339: epoch.text)
            claim(again?.instant.value == seconds, "\(text) became \(epoch.text)")
        }
        guard let time = try? Timestamp(rfc3339: text) else { return }
        claim(time.text == text, "\(text) became \(time.text)")
        let plain = time.instant.rfc3339
        guard let again = try? Timestamp(rfc3339: plain) else {
            // Offsets lead out of the years that have four digits.
            return claim(text.hasPrefix("9999") || text.hasPrefix("0000"), "\(text) became \(plain)")
        }
        let difference = time.instant.value - again.instant.value
        claim(
            (0..<1_000).contains(difference) || text.hasPrefix("9999") || text.hasPrefix("0000"),
            "\(text) became \(plain)")
    }
}
