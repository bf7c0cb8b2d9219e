/// Which snapshot of one resource was the newest at an instant, as far as that is known for certain.
///
/// What is dropped leaves a gap, so that never an older snapshot is given for an instant at which a newer one was served.
struct ArchiveTimes: Sendable {
    private(set) var marks: [ArchiveMark] = []

    /// The oldest marks beyond so many go; before the oldest one nothing is known.
    static let mostMarks = 20_000

    /// The newest at an instant; nil if that one isn't kept, or nothing is kept of that time.
    func newest(at instant: UnixMilliseconds) -> SnapshotID? {
        let mark = marks.last { $0.from <= instant }
        return mark.flatMap { $0.isGap ? nil : $0.id }
    }

    mutating func add(_ mark: ArchiveMark) {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle] < mark { low = middle + 1 } else { high = middle }
        }
        guard low == marks.count || marks[low] != mark else { return }
        marks.insert(mark, at: low)
        if marks.count > Self.mostMarks { marks.removeFirst(marks.count - Self.mostMarks) }
    }

    /// Puts a gap in the place of a snapshot that is kept no more.
    mutating func drop(_ entry: ArchiveRoom.Entry) {
        marks.removeAll { $0.id == entry.id && !$0.isGap }
        add(ArchiveMark(from: entry.from, id: entry.id, isGap: true))
    }
}
