/// An instant in UTC: milliseconds since 1970-01-01T00:00:00Z.
///
/// Wall time: crosses processes and is shown to people; never used to measure.
package struct UnixMilliseconds: Hashable, Comparable, Sendable {
    package let value: Int64

    package init(_ value: Int64) { self.value = value }

    package static func < (left: UnixMilliseconds, right: UnixMilliseconds) -> Bool {
        left.value < right.value
    }

    /// The instant `duration` later (earlier if negative), in whole milliseconds.
    package static func + (instant: UnixMilliseconds, duration: Duration) -> UnixMilliseconds {
        UnixMilliseconds(instant.value + duration.milliseconds)
    }

    /// The time from `earlier` to `later`; negative if they are the other way round.
    package static func - (later: UnixMilliseconds, earlier: UnixMilliseconds) -> Duration {
        .milliseconds(later.value - earlier.value)
    }
}

extension Duration {
    /// The length in whole milliseconds, rounded toward zero.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
