import CacheLayer

/// One resource as a loop holds it, with its age on the loop's own clock.
///
/// Immutable.
struct Holding {
    let view: ResourceView
    let snapshot: RateSnapshot
    /// When its age was zero, on the clock of `GatewayClock.milliseconds`.
    let born: Int64
    /// When its snapshot is due for a refresh: asked of the calendar once, not for each answer.
    let nextRefresh: UnixMilliseconds

    /// What a view holds; nil if that is nothing.
    ///
    /// The clock is read at this moment, so that the age is on it from then on.
    init?(_ view: ResourceView, clock: GatewayClock, policy: TierPolicy) {
        guard let adopted = view.adopted else { return nil }
        self.view = view
        snapshot = adopted.snapshot
        born = clock.milliseconds() - adopted.age(at: clock.now()).milliseconds
        nextRefresh = policy.nextRefresh(of: snapshot)
    }

    private init(_ earlier: Holding, under condition: RefreshCondition) {
        view = ResourceView(adopted: earlier.view.adopted, condition: condition)
        snapshot = earlier.snapshot
        born = earlier.born
        nextRefresh = earlier.nextRefresh
    }

    private init(_ day: CivilDate, of year: Holding, _ table: RateTable) {
        view = year.view
        snapshot = year.snapshot.on(day, table)
        born = year.born
        nextRefresh = year.nextRefresh
    }

    /// One day of a year that is held, with the table that holds for it.
    func on(_ day: CivilDate, _ table: RateTable) -> Holding { Holding(day, of: self, table) }

    /// The same while refreshing stands otherwise.
    func under(_ condition: RefreshCondition) -> Holding { Holding(self, under: condition) }

    /// Whether a day may have a row by now that this year, whose last row before it is `row`, was fetched without.
    func lacks(_ date: CivilDate, after row: YearTable.Row, at now: Int64) -> Bool {
        YearSchedule.mayLack(
            date, after: row, fetchedAt: snapshot.fetchedAt,
            now: snapshot.fetchedAt + .milliseconds(age(at: now)))
    }

    /// Milliseconds since fetched-at, at least zero.
    func age(at now: Int64) -> Int64 { max(0, now - born) }

    /// An instant of the store's clock on the loop's clock.
    func local(_ instant: UnixMilliseconds) -> Int64 { born + (instant.value - snapshot.fetchedAt.value) }
}
