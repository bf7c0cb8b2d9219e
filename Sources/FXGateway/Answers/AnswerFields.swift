import CacheLayer

/// The header fields of an answer with rates that don't move with the clock.
enum AnswerFields {
    /// How long a cache may answer with what has just gone stale while it asks here (RFC 5861 section 3): longer than a
    /// refresh takes, far shorter than any stale window.
    private static let staleWhileRevalidate = 30

    /// The lines of a 200 and of its 304, each with its CRLF; all but Age and Cache-Status.
    static func lines(
        _ plan: SelectionPlan, _ labels: SelectionLabels, condition: RefreshCondition, etag: [UInt8],
        lifetime: Int64, visibility: CacheVisibility
    ) -> AnswerLines {
        let reuse = reuse(
            lifetime, isSettled: plan.isSettled, window: plan.servedUntil.value - plan.freshUntil.value)
        var lines = AnswerLines(plan, labels, reuse: reuse, etag: etag, visibility: visibility)
        addRefreshing(plan.nextRefresh, condition, isSettled: plan.isSettled, to: &lines.labels)
        return lines
    }

    /// The same for a range, which may stand on several snapshots.
    static func lines(
        _ page: RangePage, etag: [UInt8], lifetime: Int64, visibility: CacheVisibility
    ) -> AnswerLines {
        let reuse = reuse(
            lifetime, isSettled: page.isSettled, window: page.servedUntil.value - page.freshUntil.value)
        var lines = AnswerLines(
            reuse: reuse, etag: etag, lastModified: page.state == .fresh ? page.rows.last?.dataTime : nil,
            source: page.sources.min(by: Source.isFaster), session: nil, state: page.state.name,
            snapshots: page.years.map(\.snapshot.id.text).joined(separator: ", "), visibility: visibility)
        addRefreshing(
            page.nextRefresh, page.worst.view.condition, isSettled: page.isSettled, to: &lines.labels)
        return lines
    }

    /// The same for the list of currencies, which has neither a class nor a session.
    static func lines(
        list holding: Holding, _ standing: EntryStanding, etag: [UInt8], lifetime: Int64,
        nextRefresh: UnixMilliseconds, visibility: CacheVisibility
    ) -> AnswerLines {
        let reuse = reuse(
            lifetime, isSettled: false, window: standing.servedUntil.value - standing.freshUntil.value)
        var lines = AnswerLines(
            reuse: reuse, etag: etag,
            lastModified: standing.state == .fresh ? holding.snapshot.fetchedAt : nil, source: nil,
            session: nil,
            state: standing.state.name, snapshots: holding.snapshot.id.text, visibility: visibility)
        addRefreshing(nextRefresh, holding.view.condition, isSettled: false, to: &lines.labels)
        return lines
    }

    /// The lines by which caches use an answer again.
    ///
    /// `window` is that of stale answers, in milliseconds.
    private static func reuse(_ lifetime: Int64, isSettled: Bool, window: Int64) -> String {
        guard !isSettled else { return "max-age=\(lifetime), immutable" }
        return "max-age=\(lifetime), stale-while-revalidate=\(staleWhileRevalidate), "
            + "stale-if-error=\(max(0, window) / 1_000)"
    }

    /// When it is due by its tier, or when what stands in the way may be gone, if that is later; never for what is settled.
    private static func addRefreshing(
        _ due: UnixMilliseconds, _ condition: RefreshCondition, isSettled: Bool, to lines: inout [UInt8]
    ) {
        guard !isSettled else { return }
        lines.add("Fx-Next-Refresh", condition.delaying(due).rfc3339)
        if case .cooldown(let until) = condition { lines.add("Fx-Cooldown-Until", until.rfc3339) }
    }
}

extension [UInt8] {
    /// Adds a field line.
    ///
    /// What upstream calls its classes and sessions ends up here, so a value with anything but printable ASCII is left out
    /// altogether: no value can end its line.
    mutating func add(_ name: StaticString, _ value: String) {
        guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !value.isEmpty else { return }
        append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        append(contentsOf: ": ".utf8)
        append(contentsOf: value.utf8)
        append(contentsOf: "\r\n".utf8)
    }
}
