/// The protocol of `docs/protocol.md` as a value: the control, the snapshots, and what each request does
/// to them.
///
/// No clock, lock or I/O: the caller says what time it is, and passes on what `takeAnnouncements` gives. A fresh one has
/// no control: everything is `lost` until a testimony.
struct ControlState: Sendable {
    /// Names the process that keeps it, as the server's stamp does in Redis.
    var stamp = ControlState.memoryStamp
    var control: ControlRecord?
    var shelf = SnapshotShelf()
    var archive: SnapshotArchive
    /// Who has looked, and what was asked for, with the last time.
    var instances: [String: Int64] = [:]
    var demand: [Resource: Int64] = [:]
    private var announcements: [StoreEvent] = []
    private var archiveNews: [ArchiveNews] = []

    /// The stamp of a process's own memory, in all its lives.
    static let memoryStamp = "memory"

    /// - Parameter archiveBytes: the most bytes of bodies kept for replay.
    init(archiveBytes: Int) { archive = SnapshotArchive(limit: archiveBytes) }

    /// The events since the last time, in order.
    mutating func takeAnnouncements() -> [StoreEvent] {
        defer { announcements = [] }
        return announcements
    }

    /// What the archive has met since the last time, in order.
    mutating func takeArchiveNews() -> [ArchiveNews] {
        defer { archiveNews = [] }
        return archiveNews
    }

    /// Puts an accepted snapshot where it is found from now on.
    ///
    /// `from` is when it became the newest, where that isn't when it was fetched.
    mutating func keep(
        _ snapshot: StoredSnapshot, at now: UnixMilliseconds, from: UnixMilliseconds? = nil
    ) {
        shelf.put(snapshot, at: now)
        archiveNews.append(archive.put(snapshot, at: now, from: from))
    }

    mutating func announce(_ event: StoreEvent) { announcements.append(event) }

    /// The control, if it is the one that the caller knows and not older than the caller's memory.
    func known(birth: String?, floor: FencingToken) -> ControlRecord? {
        guard let control, control.stamp == stamp, control.birth == birth else { return nil }
        return floor.value > control.epoch ? nil : control
    }
}
