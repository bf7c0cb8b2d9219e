/// When a rate-limit window resets, by a reset field whose unit no standard fixes.
///
/// `X-RateLimit-Reset` means one of three things, told apart by size: up to 2,764,800 (32 days) seconds from now; 10 or
/// 11 digits a Unix time in seconds; 13 digits one in milliseconds. Everything else, and what lies more than 32 days
/// ahead, is absurd and counts as missing.
package struct LimitReset: Hashable, Sendable {
    package enum Form: String, Hashable, Sendable, CaseIterable {
        case delta, seconds, milliseconds
    }

    package let instant: UnixMilliseconds
    package let form: Form

    /// No window is longer than the longest month and a day.
    package static let farthest: Duration = .seconds(32 * 86_400)

    /// Reads an `X-RateLimit-Reset` field; nil if it isn't digits alone (blanks around them don't matter) or
    /// absurd.
    package init?(_ field: some StringProtocol, now: UnixMilliseconds) {
        guard let digits = Self.digits(of: field), let value = RetryFieldText.number(digits) else {
            return nil
        }
        switch digits.count {
        case 10, 11:
            self.init(UnixMilliseconds(value * 1_000), .seconds, now: now)
        case 13:
            guard let milliseconds = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
            self.init(UnixMilliseconds(milliseconds), .milliseconds, now: now)
        default:
            self.init(delta: value, now: now)
        }
    }

    /// Reads a `RateLimit-Reset` field of the older drafts (draft-ietf-httpapi-ratelimit-headers-07): always
    /// seconds from now.
    package init?(draft field: some StringProtocol, now: UnixMilliseconds) {
        guard let digits = Self.digits(of: field), let value = RetryFieldText.number(digits) else {
            return nil
        }
        self.init(delta: value, now: now)
    }

    private init?(delta: Int64, now: UnixMilliseconds) {
        guard .seconds(delta) <= Self.farthest else { return nil }
        self.init(now + .seconds(delta), .delta, now: now)
    }

    private init?(_ instant: UnixMilliseconds, _ form: Form, now: UnixMilliseconds) {
        guard instant - now <= Self.farthest else { return nil }
        self.instant = instant
        self.form = form
    }

    /// The field without blanks around and zeros in front; nil if it isn't digits alone.
    private static func digits(of field: some StringProtocol) -> [UInt8]? {
        let text = RetryFieldText.trimmed(field.utf8)
        guard !text.isEmpty, text.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return nil }
        let digits = Array(text.drop { $0 == UInt8(ascii: "0") })
        return digits.isEmpty ? [UInt8(ascii: "0")] : digits
    }
}
