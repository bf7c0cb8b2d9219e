/// How often a table is fetched, by the fastest class in it.
///
/// Pure functions of table, instant and policy.
extension TierPolicy {
    /// A day between two fetches of a class that is published once a week.
    static let fredInterval = Duration.seconds(86_400)

    /// The shortest time until the next fetch, counted from one that is made at `now` (store's clock) with
    /// `table` in hand.
    ///
    /// The least that any class of its current symbols asks for: live `liveTTL`; unknown `unknownTTL`;
    /// `ecb_daily` the time to the first publication after the newest of its data times, or, once that has
    /// passed, a distance that grows; `fred_daily` a day. A fix that is held back counts as one that hasn't come: the next
    /// answers, which may confirm it, are minutes away and not days. Without a table `liveTTL`. Never shorter than
    /// `liveTTL`.
    package func leastInterval(for table: RateTable?, now: UnixMilliseconds) -> Duration {
        guard let table else { return liveTTL }
        var least: Duration?
        for (source, _) in Self.classes(of: table) {
            switch source {
            case .live: least = min(least ?? liveTTL, liveTTL)
            case .unknown: least = min(least ?? unknownTTL, unknownTTL)
            case .fredDaily: least = min(least ?? Self.fredInterval, Self.fredInterval)
            case .ecbDaily: break
            }
        }
        let heldBack = table.symbols.filter { $0.quarantined != nil && $0.source == .ecbDaily }
        let fixes = heldBack.map { ($0.effectiveAt ?? table.dataTime).instant } + [newestFix(of: table)]
        for fix in fixes.compactMap({ $0 }) {
            let wait = Self.fixInterval(dataTime: fix, now: now)
            least = min(least ?? wait, wait)
        }
        return max(liveTTL, least ?? liveTTL)
    }

    /// When a snapshot is due for a refresh, by the store's clock: its granted interval after fetched-at, or
    /// later where its classes ask for less.
    ///
    /// A daily table is fetched by a poll's short interval; what it brought decides that the next one can
    /// wait for the next publication.
    package func nextRefresh(of snapshot: RateSnapshot) -> UnixMilliseconds {
        if let year = snapshot.year { return nextRefresh(of: year, in: snapshot) }
        if snapshot.list != nil { return snapshot.fetchedAt + max(snapshot.interval, Self.listInterval) }
        return snapshot.fetchedAt
            + max(snapshot.interval, leastInterval(for: snapshot.table, now: snapshot.fetchedAt))
    }

    /// The newest data time of the ECB's fixes among the current symbols; nil where there is none.
    ///
    /// The newest one: a currency that the ECB has dropped keeps its last day's time for ever.
    package func newestFix(of table: RateTable) -> UnixMilliseconds? {
        Self.classes(of: table).filter { $0.0 == .ecbDaily }.map(\.1).max()
    }

    /// What the current symbols ask for; the table's own class where there are none.
    private static func classes(of table: RateTable) -> [(Source, UnixMilliseconds)] {
        let current = table.symbols.filter { $0.kept == nil }
        guard !current.isEmpty else { return [(table.source, table.dataTime.instant)] }
        return current.map { ($0.source, ($0.effectiveAt ?? table.dataTime).instant) }
    }

    /// The wait for the publication after a data time.
    private static func fixInterval(dataTime: UnixMilliseconds, now: UnixMilliseconds) -> Duration {
        wait(for: PublicationCalendar.ecb.next(afterFix: dataTime), now: now)
    }

    /// The wait for what is published at an instant; once it is overdue, polls at a falling rate.
    ///
    /// Five minutes in the first hour (a fix is usually there within minutes), a quarter of an hour up to the
    /// fourth, then an hour: a publication that is six hours late costs 26 calls.
    static func wait(for publication: UnixMilliseconds, now: UnixMilliseconds) -> Duration {
        let overdue = now - publication
        return switch overdue {
        case ..<(.zero): .zero - overdue
        case ..<(.seconds(3_600)): .seconds(300)
        case ..<(.seconds(4 * 3_600)): .seconds(900)
        default: .seconds(3_600)
        }
    }
}
