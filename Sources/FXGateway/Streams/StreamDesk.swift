import CacheLayer
import EventLoop

/// What one loop knows of its streams.
///
/// Only for its loop's thread.
struct StreamDesk {
    var book = StreamBook()
    var shelf = EventShelf(byteLimit: 4 << 20)
    var rings: [Resource: SnapshotRing] = [:]
    /// Counts the publications of this loop.
    var published: UInt64 = 0
    /// What is still to be told, in this order.
    var deliveries: [Delivery] = []
    /// Whether the next part of it is on its way.
    var isDelivering = false
    /// Whether no stream is begun any more.
    var isClosed = false
    /// Runs while there are streams.
    var tick: EventWatch?
    /// Counts the ends that were told, so that clients are spread.
    var ended = 0
}
