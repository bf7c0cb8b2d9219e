package import CacheLayer

/// A promise that was broken in a simulated month, and when.
package struct MonthViolation: Hashable, Sendable, CustomStringConvertible {
    package let instant: UnixMilliseconds
    package let seed: UInt64
    package let text: String

    package var description: String { "seed \(seed), \(instant.rfc3339): \(text)" }
}
