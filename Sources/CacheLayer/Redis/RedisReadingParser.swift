/// Takes the replies to a read apart.
struct RedisReadingParser {
    let question: StoreQuestion
    var replies: RedisReplies
    /// Whether the archive's sum is missing while its order isn't.
    private(set) var hasLostArchiveBytes = false
    private var garbage = 0

    init(question: StoreQuestion, replies: RedisReplies) {
        (self.question, self.replies) = (question, replies)
    }

    /// What was read, and how many parts could not be.
    mutating func reading(at now: UnixMilliseconds) throws(StoreError) -> (StoreReading, garbage: Int) {
        let (control, mark) = try control()
        var reading = StoreReading(now: now, control: control, mark: mark)
        let legacy = LegacyControl(try replies.texts())
        reading.legacy = legacy
        reading.isLegacyAlive = try replies.integer() > 0
        let oldest = now + (.zero - StoreTimings.presenceKept)
        reading.limits = try replies.scores().compactMap { text, heard in
            UnixMilliseconds(heard) > oldest ? Self.limits(text) : nil
        }
        for resource in question.resources {
            let values = try replies.texts()
            let hasBody = try replies.integer() > 0
            let keep = try replies.integer()
            switch RedisSnapshotFields.read(values, body: hasBody ? [] : nil, resource: resource, keep: keep)
            {
            case .absent: break
            case .snapshot(let head): reading.stored[resource] = head
            case .garbage:
                garbage += 1
                reading.unreadable.insert(resource)
            }
        }
        if !question.archived.isEmpty { try readArchive(into: &reading) }
        if question.hasMembers {
            let count = try replies.integer()
            let last = try replies.scores()
            reading.members = last.map { name, heard in
                Shadow.Member(name: name, idle: max(.zero, now - UnixMilliseconds(heard)))
            }.filter { $0.idle < StoreTimings.membersKept }
            reading.instances = count - Int64(last.count - reading.members.count)
        }
        return (reading, garbage)
    }

    private mutating func control() throws(StoreError) -> (ControlReading, ControlMark) {
        guard let words = try replies.texts() else {
            return (.unreadable, ControlMark(birth: "!", version: ""))
        }
        var fields: [String: String] = [:]
        for place in stride(from: 0, to: words.count - 1, by: 2) {
            if let name = words[place] { fields[name] = words[place + 1] }
        }
        let (control, lost) = ControlFields.read(fields)
        garbage += lost
        return (control, ControlMark(birth: fields["birth"] ?? "", version: fields["version"] ?? ""))
    }

    private mutating func readArchive(into reading: inout StoreReading) throws(StoreError) {
        let sum = try replies.text().flatMap { ControlFieldReader.number($0) }
        reading.archive.first = Self.entries(try replies.scores())
        reading.archive.bytes = reading.archive.first.isEmpty ? 0 : Int(clamping: sum ?? 0)
        hasLostArchiveBytes = sum == nil && !reading.archive.first.isEmpty
        for id in question.archived where try replies.integer() > 0 { reading.archive.kept.insert(id) }
    }

    /// The entries of the archive's order: `<id> <bytes> <resource> <from>`; those of version 0.1.0 have no last word.
    static func entries(_ scores: [(member: String, score: Int64)]) -> [ArchiveRoom.Entry] {
        scores.compactMap { member, end in
            let words = member.split(separator: " ")
            guard words.count >= 3, let id = SnapshotID(parsing: words[0]), let bytes = Int(words[1]),
                let resource = Resource(name: String(words[2]))
            else { return nil }
            let from = words.count > 3 ? ControlFieldReader.number(words[3]) : nil
            return ArchiveRoom.Entry(
                end: UnixMilliseconds(end), id: id, bytes: max(0, bytes), resource: resource,
                from: from.map { UnixMilliseconds($0) } ?? id.fetchedAt)
        }
    }

    private static func limits(_ text: String) -> MemberLimits? {
        let numbers = text.split(separator: " ").compactMap { ControlFieldReader.number($0) }
        guard numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        return MemberLimits(monthly: numbers[0], perMinute: numbers[1], gap: numbers[2])
    }
}
