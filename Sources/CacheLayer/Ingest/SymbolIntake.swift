/// The symbols of one answer: taken in one by one, then filled up with what the held table has beyond them.
struct SymbolIntake {
    let base: Currency
    /// The table's class: holds where a symbol has none of its own.
    let source: Source
    /// Upstream's classes and times by symbol; nil where it sends no such map.
    let sources: [Currency: JSONTree]?
    let times: [Currency: JSONTree]?
    /// The latest instant that a symbol's own time may name.
    let latest: UnixMilliseconds
    let limits: IngestLimits

    private(set) var symbols: [Currency: SymbolRate] = [:]
    private(set) var notes: IngestNotes
    /// Why a symbol that the answer names has no rate.
    private var faults: [Currency: IngestNotes.MissingReason] = [:]
    private var unknownSources: Set<String> = []

    init(
        base: Currency, source: Source, sources: [Currency: JSONTree]?, times: [Currency: JSONTree]?,
        latest: UnixMilliseconds, limits: IngestLimits, notes: IngestNotes
    ) {
        self.base = base
        self.source = source
        self.sources = sources
        self.times = times
        self.latest = latest
        self.limits = limits
        self.notes = notes
        note(source)
    }

    /// Whether there is a rate of another currency than the base.
    var hasRate: Bool { symbols.keys.contains { $0 != base } }

    /// Takes one member of `rates`.
    ///
    /// Throws `duplicateNames` if its currency has been there already, in another letter case, and `wrongBase` if it is the
    /// base and not exactly 1.
    mutating func take(_ member: JSONTree.Member) throws(IngestError) {
        guard let currency = Currency(member.name) else {
            notes.add(.invalidCode)
            return
        }
        guard symbols[currency] == nil, faults[currency] == nil else { throw .duplicateNames }
        guard symbols.count + faults.count < limits.symbols else {
            notes.add(.tooManySymbols)
            return
        }
        if currency == base { try Ingest.requireOne(member.value) }
        let rate: Rate
        do throws(RateTextError) {
            guard let text = member.value.number else { throw .notANumber }
            rate = try Rate(json: text)
        } catch {
            faults[currency] = .init(error)
            return
        }
        let source = source(of: currency)
        note(source)
        symbols[currency] = SymbolRate(
            currency: currency, rate: rate, source: source, effectiveAt: time(of: currency))
    }

    /// Fills up from the table that was held so far, and closes the notes.
    ///
    /// What the answer has no usable rate for is kept from the held table as `missing`, with its own class
    /// and time, until the stale window that this time gives it ends. What is too far from the held value of its class
    /// is held back.
    mutating func finish(
        held: RateTable?, now: UnixMilliseconds, interval: Duration, policy: TierPolicy, band: QuarantineBand?
    ) {
        // Null: as if it were absent.
        faults[base] = nil
        if let held, let band {
            holdBack(held, band, now: now, interval: interval, policy: policy)
        }
        var kept: Set<Currency> = []
        for entry in held?.symbols ?? [] where entry.currency != base {
            if let current = symbols[entry.currency] {
                guard entry.kept == nil, entry.source != current.source else { continue }
                notes.classChanges.append(
                    .init(currency: entry.currency, from: entry.source, to: current.source))
                continue
            }
            if faults[entry.currency] == nil { faults[entry.currency] = .vanished }
            guard let held, symbols.count < limits.symbols,
                let standIn = Self.standIn(for: entry, of: held, now: now, interval: interval, policy: policy)
            else { continue }
            symbols[entry.currency] = standIn
            kept.insert(entry.currency)
        }
        notes.missing = faults.sorted { $0.key < $1.key }.map { currency, reason in
            .init(currency: currency, reason: reason, isKept: kept.contains(currency))
        }
        notes.unknownSources = unknownSources.sorted()
    }

    /// Puts the held value in the place of each current one that is too far from it.
    private mutating func holdBack(
        _ held: RateTable, _ band: QuarantineBand, now: UnixMilliseconds, interval: Duration,
        policy: TierPolicy
    ) {
        for last in held.symbols where last.currency != base {
            guard let current = symbols[last.currency] else { continue }
            let verdict = QuarantineVerdict(
                current, last: last, dataTime: held.dataTime, band: band, now: now, interval: interval,
                policy: policy)
            switch verdict {
            case .passes: if last.quarantined != nil { notes.dismissed.append(last.currency) }
            case .isConfirmed: notes.confirmed.append(last.currency)
            case .heldBack(let value):
                if value.confirmations == 0 { notes.quarantined.append(last.currency) }
                symbols[last.currency] = SymbolRate(
                    currency: last.currency, rate: last.rate, source: last.source,
                    effectiveAt: last.effectiveAt ?? held.dataTime, kept: .quarantine, quarantined: value)
            }
        }
    }

    /// The held value for a symbol without a usable one; nil once its window has ended.
    ///
    /// A value that is held back stays so: an answer without the symbol neither confirms it nor speaks against it.
    private static func standIn(
        for entry: SymbolRate, of held: RateTable, now: UnixMilliseconds, interval: Duration,
        policy: TierPolicy
    ) -> SymbolRate? {
        let time = entry.effectiveAt ?? held.dataTime
        if let known = entry.quarantined {
            guard now < known.keptUntil else { return nil }
            let value = QuarantinedRate(
                first: known.first, rate: known.rate, effectiveAt: known.effectiveAt ?? held.dataTime,
                confirmations: known.confirmations, since: known.since, keptUntil: known.keptUntil)
            return SymbolRate(
                currency: entry.currency, rate: entry.rate, source: entry.source, effectiveAt: time,
                kept: .quarantine, quarantined: value)
        }
        guard now < policy.keptUntil(source: entry.source, dataTime: time.instant, interval: interval) else {
            return nil
        }
        return SymbolRate(
            currency: entry.currency, rate: entry.rate, source: entry.source, effectiveAt: time,
            kept: .missing)
    }

    private mutating func source(of currency: Currency) -> Source {
        guard let value = sources?[currency], value != .null else { return source }
        guard let name = limits.label(value) else {
            notes.add(.field)
            return source
        }
        return Source(name: name)
    }

    private mutating func time(of currency: Currency) -> Timestamp? {
        guard let value = times?[currency], value != .null else { return nil }
        guard let time = Timestamp(json: value, notBefore: IngestLimits.earliestData), time.instant <= latest
        else {
            notes.add(.symbolTime)
            return nil
        }
        return time
    }

    private mutating func note(_ source: Source) {
        guard case .unknown(let name) = source else { return }
        unknownSources.insert(name)
    }
}
