import CacheLayer

/// Which past snapshot is to answer, in the place of the newest one.
enum Pin: Hashable, Sendable {
    case snapshot(SnapshotID)
    /// The one that was the newest at an instant, itself included.
    case asOf(UnixMilliseconds)

    /// Reads `snapshot=` and `as_of=`; nil if neither is there.
    ///
    /// - Throws: a 400 that names what is malformed; also for both at once.
    init?(_ query: QueryText) throws(Problem) {
        switch (query.value(.snapshot), query.value(.asOf)) {
        case (nil, nil): return nil
        case (let value?, nil): self = .snapshot(try Self.id(value, "snapshot"))
        case (nil, let value?): self = .asOf(try Self.instant(value))
        case (_?, _?): throw Problem(.invalidRequest, "snapshot and as_of are two ways to name one table.")
        }
    }

    /// The id of a snapshot.
    ///
    /// - Throws: a 400 that names `place`.
    static func id(_ value: [UInt8], _ place: StaticString) throws(Problem) -> SnapshotID {
        guard let id = SnapshotID(parsing: String(decoding: value, as: UTF8.self)) else {
            throw .malformed(place, value, "the id of a snapshot, such as 01J0F3ZK7Q-7f3a9c2e")
        }
        return id
    }

    /// An instant (RFC 3339) or a day in UTC: the end of what is named, to the millisecond.
    ///
    /// An answer tells its times to the second. The end of it makes `as_of` with the `fetched_at` of an answer give the
    /// snapshot of that answer, as does its `Date`; and a day gives what its last answer was made from.
    private static func instant(_ value: [UInt8]) throws(Problem) -> UnixMilliseconds {
        do throws(TimestampError) {
            let time = try Timestamp(rfc3339: String(decoding: value, as: UTF8.self))
            if time.text.utf8.count == "2026-06-16".utf8.count {
                return time.instant + .milliseconds(86_399_999)
            }
            return time.text.contains(".") ? time.instant : time.instant + .milliseconds(999)
        } catch {
            throw Problem(
                .badDate,
                "as_of: \(SafeText.quoted(bytes: value)) is not an instant such as 2026-06-16T14:02:03Z, or a day."
            )
        }
    }
}
