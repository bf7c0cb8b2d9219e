/// The name of one try of one instance to refresh one resource: 128 random bits, drawn before the store
/// is asked.
///
/// Says whose something is; never used for a second try. 32 hexadecimal digits as text.
package struct AttemptID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// A new one, from the system's random numbers.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let high = UInt64.random(in: .min ... .max, using: &generator)
        let low = UInt64.random(in: .min ... .max, using: &generator)
        text = Self.hexadecimal(high) + Self.hexadecimal(low)
    }

    /// One read back from the store.
    package init(stored text: String) { self.text = text }

    package var description: String { text }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
