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
        asked(by: table, now: now).interval
    }

    /// The same, with what asks for it.
    private func asked(
        by table: RateTable?, now: UnixMilliseconds
    ) -> (interval: Duration, cause: RefreshCause) {
        guard let table else { return (liveTTL, .liveTTL) }
        var wishes: [(interval: Duration, cause: RefreshCause)] = []
        for (source, _) in Self.classes(of: table) {
            switch source {
            case .live: wishes.append((liveTTL, .liveTTL))
            case .unknown: wishes.append((unknownTTL, .unknownTTL))
            case .fredDaily: wishes.append((Self.fredInterval, .daily))
            case .ecbDaily: break
            }
        }
        if let fix = newestFix(of: table) { wishes.append(Self.wish(after: fix, now: now)) }
        for entry in table.symbols where entry.quarantined != nil && entry.source == .ecbDaily {
            let fix = (entry.effectiveAt ?? table.dataTime).instant
            wishes.append((Self.wish(after: fix, now: now).interval, .fixHeldBack))
        }
        guard let least = wishes.min(by: { $0.interval < $1.interval }), least.interval > liveTTL else {
            return (liveTTL, .liveTTL)
        }
        return least
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

    /// Why a table is due when `nextRefresh(of:)` says.
    package func refreshCause(of snapshot: RateSnapshot) -> RefreshCause {
        let asked = asked(by: snapshot.table, now: snapshot.fetchedAt)
        // A wait for an instant was longer when it was granted: by what the call took until its answer came.
        let call: Duration =
            switch asked.cause {
            case .publication, .fixHeldBack: upstreamTimeout
            case .liveTTL, .unknownTTL, .publicationOverdue, .daily, .pace: .zero
            }
        return snapshot.interval > asked.interval + call ? .pace : asked.cause
    }

    /// Why a latest table isn't due yet where only the calls that are left speak against it: `paced`, or `quota` if this
    /// month has none left for it; nil if it is due, or not yet by its own tier.
    package func waitReason(of snapshot: RateSnapshot, at now: UnixMilliseconds) -> StaleReason? {
        guard snapshot.resource.isLatest, refreshCause(of: snapshot) == .pace else { return nil }
        let due = nextRefresh(of: snapshot)
        guard now < due else { return nil }
        return due < Month(containing: now).next.start ? .paced : .quota
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
    private static func wish(
        after dataTime: UnixMilliseconds, now: UnixMilliseconds
    ) -> (interval: Duration, cause: RefreshCause) {
        let publication = PublicationCalendar.ecb.next(afterFix: dataTime)
        return (wait(for: publication, now: now), publication > now ? .publication : .publicationOverdue)
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
