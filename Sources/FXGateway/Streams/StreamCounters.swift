import Telemetry

/// What the streams of a process have come to.
///
/// Shared by its loops; safe from any thread.
final class StreamCounters: Sendable {
    /// Events given to streams, replayed ones and those at a stream's beginning among them.
    let events = LabelledCounter<StreamKind>()
    let ends = LabelledCounter<StreamEnd>()
    let opened = Counter()
    /// Refused since there were too many.
    let refused = Counter()
    /// Streams that came back and were told what they had missed.
    let resumed = Counter()
    /// Streams that came back too late for that.
    let gaps = Counter()
}
