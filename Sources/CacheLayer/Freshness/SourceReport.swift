/// What one source brings to one table: its cadence, its newest data, how it stands.
package struct SourceReport: Hashable, Sendable {
    package let source: Source
    package let resource: Resource
    /// The symbols whose current values are of this source, in the order of their codes.
    package let symbols: [Currency]
    /// Those that aren't fresh, kept ones included, in the order of their codes.
    package let staleSymbols: [Currency]
    /// The newest time at which any of them was observed.
    package let dataTime: Timestamp
    /// How the symbol with the newest data stands: a currency that is no longer published doesn't speak for the source.
    package let state: Freshness
    /// The end of that symbol's lifetime by the store's clock; fetched-at for what never was fresh.
    package let freshUntil: UnixMilliseconds
    /// Why it isn't fresh though its lifetime hasn't passed; nil otherwise.
    package let ownReason: StaleReason?
    /// The least time between two fetches that the source asks for; nil where a calendar says when.
    package let interval: Duration?
    /// When the next data is due by the calendar, in the past while it is late; nil for sources without one.
    package let nextPublication: UnixMilliseconds?

    /// The reports of all sources in a snapshot, the fastest first, at an age of it.
    ///
    /// Pure: the same on all instances.
    package static func all(in snapshot: RateSnapshot, age: Duration, policy: TierPolicy) -> [SourceReport] {
        let groups = Dictionary(grouping: snapshot.table.symbols, by: \.source)
        return groups.sorted { Source.isFaster($0.key, $1.key) }.map { source, entries in
            SourceReport(source, entries, in: snapshot, age: age, policy: policy)
        }
    }

    /// `entries` isn't empty.
    private init(
        _ source: Source, _ entries: [SymbolRate], in snapshot: RateSnapshot, age: Duration,
        policy: TierPolicy
    ) {
        func time(_ entry: SymbolRate) -> Timestamp { entry.effectiveAt ?? snapshot.table.dataTime }
        let standings = entries.map { entry in
            (entry, EntryStanding(of: entry, in: snapshot, age: age, policy: policy))
        }
        let current = standings.filter { $0.0.kept == nil }
        let newest = (current.isEmpty ? standings : current).max {
            time($0.0).instant < time($1.0).instant
        }
        self.source = source
        resource = snapshot.resource
        symbols = entries.map(\.currency)
        staleSymbols = standings.filter { $0.1.state != .fresh }.map(\.0.currency)
        dataTime = newest.map { time($0.0) } ?? snapshot.table.dataTime
        state = newest?.1.state ?? .expired
        freshUntil = newest?.1.freshUntil ?? snapshot.fetchedAt
        ownReason = newest?.1.ownReason
        switch source {
        case .live: (interval, nextPublication) = (max(policy.liveTTL, snapshot.interval), nil)
        case .unknown: (interval, nextPublication) = (max(policy.unknownTTL, snapshot.interval), nil)
        case .fredDaily: (interval, nextPublication) = (TierPolicy.fredInterval, nil)
        case .ecbDaily:
            let calendar = PublicationCalendar.ecb
            (interval, nextPublication) = (nil, calendar.next(after: calendar.fix(at: dataTime.instant)))
        }
    }
}
