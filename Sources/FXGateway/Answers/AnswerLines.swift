import CacheLayer

/// The prepared header lines of an answer with rates, each with its CRLF: alike in a 200 and its 304, and in an answer from
/// a past snapshot.
struct AnswerLines {
    /// What lets a cache keep it and ask again: Cache-Control, ETag, Last-Modified.
    var reuse: [UInt8] = []
    /// What is told of the rates: all that is called Fx-.
    var labels: [UInt8] = []

    /// `reuse` are the directives after the visibility; what is nil has no line.
    init(
        reuse directives: String, etag: [UInt8], lastModified: UnixMilliseconds?, source: Source?,
        session: String?, state: String, snapshots: String, visibility: CacheVisibility
    ) {
        reuse.reserveCapacity(192)
        reuse.add("Cache-Control", "\(visibility.rawValue), \(directives)")
        reuse.add("ETag", String(decoding: etag, as: UTF8.self))
        if let lastModified { reuse.add("Last-Modified", lastModified.httpDate) }
        labels.reserveCapacity(256)
        if let source { labels.add("Fx-Source", source.name) }
        if let session { labels.add("Fx-Market-Session", session) }
        labels.add("Fx-State", state)
        labels.add("Fx-Snapshot", snapshots)
    }

    /// Those of one snapshot.
    init(
        _ plan: SelectionPlan, _ labels: SelectionLabels, reuse: String, etag: [UInt8],
        visibility: CacheVisibility
    ) {
        self.init(
            reuse: reuse, etag: etag, lastModified: plan.isToldByTime ? labels.dataTime.instant : nil,
            source: labels.source,
            session: plan.snapshot.table.marketSession, state: plan.stateName,
            snapshots: plan.snapshot.id.text, visibility: visibility)
    }
}
