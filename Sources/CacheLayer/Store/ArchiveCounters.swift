import Synchronization
package import Telemetry

/// How full the archive is, as this instance has last seen it, and what had to go.
///
/// Safe from any thread.
package final class ArchiveCounters: Sendable {
    /// Kept snapshots that this instance's own ones have pushed out before their time.
    package let dropped = Counter()
    /// Snapshots of this instance that were not kept, for want of room.
    package let refused = Counter()
    private let seen = Atomic<Int>(0)

    package init() {}

    /// The bytes of bodies that were kept when this instance last added one; 0 before that.
    package var bytes: Int { seen.load(ordering: .relaxed) }

    func note(_ news: ArchiveNews) {
        if news.bytes > 0 { seen.store(news.bytes, ordering: .relaxed) }
        dropped.add(news.dropped)
        refused.add(news.refused)
    }
}
