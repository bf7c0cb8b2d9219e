/// Which snapshot of one resource was the newest at an instant, as far as that is known for certain.
///
/// What is dropped from the middle leaves a gap, so that never an older snapshot is given for an instant at which a
/// newer one was served. There are no two gaps in a row and none at the beginning: never more gaps than snapshots.
struct ArchiveTimes: Sendable {
    private(set) var marks: [ArchiveMark] = []

    var isEmpty: Bool { marks.isEmpty }

    /// The newest at an instant; nil if that one isn't kept, or nothing is kept of that time.
    func newest(at instant: UnixMilliseconds) -> SnapshotID? {
        let mark = marks.last { $0.from <= instant }
        return mark.flatMap { $0.isGap ? nil : $0.id }
    }

    /// Notes that from an instant on a snapshot was the newest.
    mutating func add(_ snapshot: StoredSnapshot, from: UnixMilliseconds) {
        insert(ArchiveMark(from: from, id: snapshot.id, isGap: false))
    }

    /// Notes that from an instant on another snapshot was the newest, which isn't kept.
    mutating func skip(_ snapshot: StoredSnapshot, from: UnixMilliseconds) {
        let gap = ArchiveMark(from: from, id: snapshot.id, isGap: true)
        let place = place(of: gap)
        guard place > 0, !marks[place - 1].isGap else { return }
        if place < marks.count, marks[place].isGap { marks.remove(at: place) }
        insert(gap)
    }

    /// Takes a snapshot out: what was kept before it is the newest up to there and no further.
    mutating func remove(_ id: SnapshotID) {
        guard let place = marks.firstIndex(where: { $0.id == id && !$0.isGap }) else { return }
        let mark = marks.remove(at: place)
        if place < marks.count, marks[place].isGap { marks.remove(at: place) }
        guard place > 0, !marks[place - 1].isGap else { return }
        insert(ArchiveMark(from: mark.from, id: id, isGap: true))
    }

    private mutating func insert(_ mark: ArchiveMark) {
        let place = place(of: mark)
        guard place == marks.count || marks[place] != mark else { return }
        marks.insert(mark, at: place)
    }

    /// How many marks come before it.
    private func place(of mark: ArchiveMark) -> Int {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle] < mark { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
