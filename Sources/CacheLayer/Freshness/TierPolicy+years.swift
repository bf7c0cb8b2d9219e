/// The lifetimes of years of history: settled ones never end, the others live as the ECB's daily rates do.
extension TierPolicy {
    /// The end of a year's lifetime, or of that of its one day that `snapshot` is about.
    func freshUntil(of year: YearTable, in snapshot: RateSnapshot) -> UnixMilliseconds {
        if isSettled(year, in: snapshot) { return snapshot.fetchedAt + YearSchedule.forever }
        guard let newest = year.rows.last else { return snapshot.fetchedAt }
        return YearSchedule.awaits(year, after: newest.dataTime) + Self.publicationGrace
    }

    /// Whether nothing of what `snapshot` is about will change any more: its day, or the whole year.
    package func isSettled(_ year: YearTable, in snapshot: RateSnapshot) -> Bool {
        guard year.isComplete else { return false }
        if let day = snapshot.day { return YearSchedule.isSettled(day, by: snapshot.fetchedAt) }
        return YearSchedule.settles(year.year) <= snapshot.fetchedAt
    }

    /// How long the store keeps a year from fetched-at on.
    ///
    /// Also what isn't fresh any more is worth keeping: most of its days are settled, and a part is gone on from.
    func keepFor(_ year: YearTable, in snapshot: RateSnapshot) -> Duration {
        if isSettled(year, in: snapshot) { return YearSchedule.settledKept }
        let end = freshUntil(of: year, in: snapshot) + dailyMaxStale
        return max(dailyMaxStale, end - snapshot.fetchedAt, .milliseconds(1))
    }

    /// When a year is due for a refresh: at once while pages are missing, never once it is settled.
    func nextRefresh(of year: YearTable, in snapshot: RateSnapshot) -> UnixMilliseconds {
        guard year.isComplete, let newest = year.rows.last else { return snapshot.fetchedAt }
        if YearSchedule.settles(year.year) <= snapshot.fetchedAt {
            return snapshot.fetchedAt + YearSchedule.forever
        }
        let wait = leastInterval(of: year, newest: newest, now: snapshot.fetchedAt)
        return snapshot.fetchedAt + max(snapshot.interval, wait)
    }

    /// The shortest time from a fetch of a year at `now`, with `held` in hand, to its next one.
    package func leastInterval(ofYear held: YearTable?, now: UnixMilliseconds) -> Duration {
        guard let held, held.isComplete, let newest = held.rows.last else { return liveTTL }
        return leastInterval(of: held, newest: newest, now: now)
    }

    private func leastInterval(
        of year: YearTable, newest: YearTable.Row, now: UnixMilliseconds
    ) -> Duration {
        let awaited = YearSchedule.awaits(year, after: newest.dataTime)
        return max(liveTTL, Self.wait(for: awaited, now: now))
    }
}
