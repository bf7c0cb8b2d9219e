import CacheLayer
import HTTPEngine

/// Events that were rendered for streams which begin or come back, so that a crowd that does so at once shares them.
///
/// Only for its loop's thread.
struct EventShelf {
    struct Key: Hashable {
        let selection: Selection
        let snapshot: SnapshotID
        let isGap: Bool
    }

    private let byteLimit: Int
    private var events: [Key: StreamEvent] = [:]
    private var bytes = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// An event whose state still holds at `now`.
    func find(_ key: Key, at now: Int64) -> StreamEvent? {
        events[key].flatMap { now < $0.validUntil ? $0 : nil }
    }

    /// Keeps an event; one too many, and all are rendered anew.
    mutating func insert(_ event: StreamEvent, for key: Key) {
        if bytes + event.piece.count > byteLimit { removeAll() }
        if let replaced = events.updateValue(event, forKey: key) { bytes -= replaced.piece.count }
        bytes += event.piece.count
    }

    /// Forgets everything: something may be said otherwise now.
    mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
