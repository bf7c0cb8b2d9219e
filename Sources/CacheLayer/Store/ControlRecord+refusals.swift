/// Kinds of resources that upstream refuses.
extension ControlRecord {
    /// What is left of the pause of a resource's kind for a key; nil if there is none.
    func refusal(of resource: Resource, key: KeyMark, at now: Int64) -> Int64? {
        let record = refusals.first { $0.kind == resource.refusalKind && $0.key == key }
        return record.flatMap { $0.end > now ? $0.end - now : nil }
    }

    /// Notes a refusal: the end of the pause, or nil if this report was taken before.
    mutating func noteRefusal(_ request: FinishRequest, now: Int64) -> Int64? {
        let kind = request.resource.refusalKind
        let place = refusals.firstIndex { $0.kind == kind && $0.key == request.key }
        var record =
            place.map { refusals[$0] }
            ?? RefusalRecord(kind: kind, key: request.key, end: 0, strikes: 0, token: -1)
        guard request.token.value > record.token else { return nil }
        record.strikes += 1
        record.token = request.token.value
        record.end = max(record.end, now + RefusalPause.length(strikes: record.strikes))
        if let place { refusals[place] = record } else { refusals.append(record) }
        if refusals.count > RefusalRecord.kept { refusals.removeFirst() }
        return record.end
    }

    /// A success shows that a kind is open to a key.
    mutating func clearRefusal(of resource: Resource, key: KeyMark, below token: Int64) {
        refusals.removeAll { $0.kind == resource.refusalKind && $0.key == key && $0.token < token }
    }

    /// Drops what is long over, and brings ends nearer that a jump of the clock has put too far away.
    mutating func catchUpRefusals(to now: Int64) {
        refusals.removeAll { $0.end + RefusalPause.kept <= now }
        for place in refusals.indices {
            refusals[place].end = min(refusals[place].end, now + RefusalPause.longest)
        }
    }
}
