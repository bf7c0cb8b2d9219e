import CacheLayer
import EventLoop

/// The last call of this instance for each resource.
///
/// Safe from any thread. Bounded: of many resources those stay whose calls are the latest.
final class LastCalls: Sendable {
    private let records = Locked<[Resource: CallRecord]>([:])
    static let most = 64

    init() {}

    /// All of them.
    var all: [Resource: CallRecord] { records.withLock { $0 } }

    func note(_ record: CallRecord, of resource: Resource) {
        records.withLock { records in
            records[resource] = record
            guard records.count > Self.most, let oldest = records.min(by: { $0.value.at < $1.value.at })
            else { return }
            records[oldest.key] = nil
        }
    }
}
