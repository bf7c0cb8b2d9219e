/// How long what was fetched may be shown, by the class of each symbol.
///
/// Pure functions of snapshot and policy: the same instants on all instances. In all of them an entry of nil
/// means the base itself, which is exactly 1 and has the table's own class and data time.
extension TierPolicy {
    /// How long after a publication its rates may take to show up here before they count as late.
    static let publicationGrace = Duration.seconds(30 * 60)
    /// One daily fetch and two hours to make it in.
    static let fredLifetime = Duration.seconds(26 * 3_600)
    /// The Federal Reserve publishes weekly: a value may be ten days old and still be the newest.
    static let fredMaxStale = Duration.seconds(10 * 86_400)
    /// A class that nobody knows gets a window between those of the live and the daily ones.
    static let unknownMaxStale = Duration.seconds(3_600)

    /// The end of an entry's lifetime, by the store's clock: up to that instant it is fresh.
    ///
    /// * live and unknown: fetched-at + the granted interval + upstream timeout, so that a punctual refresh never shows
    ///   "stale". An interval that the pace stretches beyond `liveMaxStale` or the month's reset counts up to there, but
    ///   never less than the tier's own;
    /// * `ecb_daily`: the first publication after the data time + 30 minutes;
    /// * `fred_daily`: fetched-at + 26 hours.
    ///
    /// A kept entry counts from its own time instead of fetched-at, so that a new snapshot never makes it
    /// younger. For rows of history see `freshUntil(of:in:)` of years; the list of currencies is judged by its age.
    package func freshUntil(of entry: SymbolRate?, in snapshot: RateSnapshot) -> UnixMilliseconds {
        span(of: entry, in: snapshot).freshUntil
    }

    /// The end of the stale window: from that instant on the entry isn't served.
    ///
    /// Where a newer value is held back, the window is the one that the entry had when that came.
    package func servedUntil(of entry: SymbolRate?, in snapshot: RateSnapshot) -> UnixMilliseconds {
        span(of: entry, in: snapshot).servedUntil
    }

    /// Both ends: of the lifetime and of the stale window, from one question to the calendar.
    func span(
        of entry: SymbolRate?, in snapshot: RateSnapshot
    ) -> (freshUntil: UnixMilliseconds, servedUntil: UnixMilliseconds) {
        let source = entry?.source ?? snapshot.table.source
        if let year = snapshot.year {
            let freshUntil = freshUntil(of: year, in: snapshot)
            return (freshUntil, freshUntil + staleWindow(of: source))
        }
        if snapshot.list != nil {
            let freshUntil = freshUntil(ofList: snapshot)
            return (freshUntil, freshUntil + Self.listMaxStale)
        }
        let dataTime = (entry?.effectiveAt ?? snapshot.table.dataTime).instant
        let start = entry?.kept == nil ? snapshot.fetchedAt : min(dataTime, snapshot.fetchedAt)
        let span = span(of: source, dataTime: dataTime, from: start, interval: snapshot.interval)
        return (span.freshUntil, entry?.quarantined?.keptUntil ?? span.servedUntil)
    }

    /// How long from fetched-at on an entry is fresh; zero if it never is.
    ///
    /// `end` is the end of its lifetime where that is known already.
    package func lifetime(
        of entry: SymbolRate?, in snapshot: RateSnapshot, until end: UnixMilliseconds? = nil
    ) -> Duration {
        guard entry?.kept == nil else { return .zero }
        return max(.zero, (end ?? freshUntil(of: entry, in: snapshot)) - snapshot.fetchedAt)
    }

    /// How long after the end of its lifetime a class is still served.
    package func staleWindow(of source: Source) -> Duration {
        switch source {
        case .live: liveMaxStale
        case .ecbDaily: dailyMaxStale
        case .fredDaily: Self.fredMaxStale
        case .unknown: Self.unknownMaxStale
        }
    }

    /// The state of an entry at an age of its snapshot, by half-open bounds: at the end of its lifetime to
    /// the millisecond it isn't fresh any more.
    ///
    /// The age is the time since fetched-at, at least zero. A kept entry is never fresh and never late.
    package func freshness(of entry: SymbolRate?, in snapshot: RateSnapshot, age: Duration) -> Freshness {
        freshness(of: entry, in: snapshot, span(of: entry, in: snapshot), age: age)
    }

    /// The same where both ends are known.
    func freshness(
        of entry: SymbolRate?, in snapshot: RateSnapshot,
        _ span: (freshUntil: UnixMilliseconds, servedUntil: UnixMilliseconds), age: Duration
    ) -> Freshness {
        guard age < span.servedUntil - snapshot.fetchedAt else { return .expired }
        guard entry?.kept == nil else { return .stale }
        guard age >= span.freshUntil - snapshot.fetchedAt else { return .fresh }
        return (entry?.source ?? snapshot.table.source) == .ecbDaily ? .late : .stale
    }

    /// How long the store keeps a snapshot from fetched-at on: until the last of its entries, the base among
    /// them, has left its stale window; at least one millisecond.
    package func keepFor(_ snapshot: RateSnapshot) -> Duration {
        if let year = snapshot.year { return keepFor(year, in: snapshot) }
        let ends = snapshot.table.symbols.map { servedUntil(of: $0, in: snapshot) }
        let end = ends.reduce(servedUntil(of: nil, in: snapshot), max)
        return max(.milliseconds(1), end - snapshot.fetchedAt)
    }

    /// Until when an entry of an earlier table may be kept in a new one that lacks it: the end of the stale
    /// window that its own time gives it.
    func keptUntil(source: Source, dataTime: UnixMilliseconds, interval: Duration) -> UnixMilliseconds {
        span(of: source, dataTime: dataTime, from: dataTime, interval: interval).servedUntil
    }

    private func span(
        of source: Source, dataTime: UnixMilliseconds, from start: UnixMilliseconds, interval: Duration
    ) -> (freshUntil: UnixMilliseconds, servedUntil: UnixMilliseconds) {
        switch source {
        case .live: return span(from: start, interval: interval, least: liveTTL, window: liveMaxStale)
        case .unknown:
            return span(from: start, interval: interval, least: unknownTTL, window: Self.unknownMaxStale)
        case .ecbDaily:
            let freshUntil = PublicationCalendar.ecb.next(afterFix: dataTime) + Self.publicationGrace
            return (freshUntil, freshUntil + dailyMaxStale)
        case .fredDaily:
            let freshUntil = start + Self.fredLifetime
            return (freshUntil, freshUntil + Self.fredMaxStale)
        }
    }

    /// The span of what is fetched by the interval: `least` is its tier's own.
    ///
    /// It is served from its next fetch on as long as ever, however late the pace makes that.
    private func span(
        from start: UnixMilliseconds, interval: Duration, least: Duration, window: Duration
    ) -> (freshUntil: UnixMilliseconds, servedUntil: UnixMilliseconds) {
        let interval = max(interval, least)
        let stretched = min(
            start + min(interval, max(liveTTL, liveMaxStale)), Month(containing: start).next.start)
        let freshUntil = max(stretched, start + least) + upstreamTimeout
        return (freshUntil, start + interval + upstreamTimeout + window)
    }
}
