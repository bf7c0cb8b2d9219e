/// All that the store of one process holds.
///
/// A value: no clock, lock or I/O.
struct MemoryState: Sendable {
    var control: ControlRecord?
    var shelf = SnapshotShelf()
    var archive: SnapshotArchive
    /// When each member was last heard of, and under which limits.
    var members: [String: Member] = [:]

    struct Member: Sendable {
        var heard: UnixMilliseconds
        var limits: MemberLimits
    }

    /// - Parameter archiveBytes: the most bytes of bodies kept for replay.
    init(archiveBytes: Int) { archive = SnapshotArchive(limit: archiveBytes) }

    func reading(_ question: StoreQuestion, at now: UnixMilliseconds) -> StoreReading {
        var reading = StoreReading(
            now: now, control: control.map { .record($0) } ?? .absent,
            mark: control.map { ControlMark($0) } ?? .absent)
        for resource in question.resources {
            reading.stored[resource] = shelf.snapshot(of: resource, at: now)
        }
        let present = members.filter { now - $0.value.heard < StoreTimings.presenceKept }
        reading.limits = Array(Set(present.values.map(\.limits)))
        guard question.hasMembers else { return reading }
        let known = members.filter { now - $0.value.heard < StoreTimings.membersKept }
        reading.instances = Int64(known.count)
        reading.members = known.sorted { ($0.value.heard, $0.key) < ($1.value.heard, $1.key) }.suffix(64).map
        {
            Shadow.Member(name: $0.key, idle: max(.zero, now - $0.value.heard))
        }
        return reading
    }

    /// Applies a change to exactly the control that was read.
    ///
    /// - Returns: how it went, what to announce, and what the archive has met.
    mutating func commit(
        _ change: StoreChange, on mark: ControlMark, at now: UnixMilliseconds
    ) -> (reply: CommitReply, events: [StoreEvent], news: [ArchiveNews]) {
        guard (control.map { ControlMark($0) } ?? .absent) == mark else { return (.moved, [], []) }
        guard now <= change.notAfter else { return (.late, [], []) }
        control = change.control
        var events: [StoreEvent] = []
        var news: [ArchiveNews] = []
        for effect in change.effects {
            switch effect {
            case .keep(let snapshot, let from):
                shelf.put(snapshot, at: now)
                news.append(archive.put(snapshot, at: now, from: from))
            case .remove(let resources): for resource in resources { shelf.remove(resource) }
            case .announce(let event): events.append(event)
            // What is for people, other tools and older versions has no readers in one process's memory.
            case .report, .mirrorCooldown, .countForLegacy: break
            }
        }
        return (.done, events, news)
    }
}
