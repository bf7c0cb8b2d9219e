/// What becomes of a symbol's new value beside its last one.
enum QuarantineVerdict: Hashable, Sendable {
    /// It is taken: within the band, or there is no last value of its class that could be served in its place.
    case passes
    /// It is taken: enough answers in a row had a value near it.
    case isConfirmed
    /// The last value stays, and this stands beside it.
    case heldBack(QuarantinedRate)

    /// Judges a current value by the last one of the symbol in the table held so far.
    ///
    /// Pure. The class decides what the last value is: another class is another measurement. A last value whose stale
    /// window has ended can't stay, so it holds nothing back.
    init(
        _ current: SymbolRate, last: SymbolRate, dataTime: Timestamp, band: QuarantineBand,
        now: UnixMilliseconds, interval: Duration, policy: TierPolicy
    ) {
        let keptUntil = Self.end(of: last, dataTime: dataTime, now: now, interval: interval, policy: policy)
        guard current.source == last.source, !band.holds(current.rate, near: last.rate), now < keptUntil
        else {
            self = .passes
            return
        }
        guard let known = last.quarantined, band.holds(current.rate, near: known.first) else {
            self = .heldBack(
                QuarantinedRate(
                    first: current.rate, rate: current.rate, effectiveAt: current.effectiveAt,
                    confirmations: 0, since: now, keptUntil: keptUntil))
            return
        }
        let confirmations = known.confirmations + 1
        guard confirmations < QuarantinedRate.enough else {
            self = .isConfirmed
            return
        }
        self = .heldBack(
            QuarantinedRate(
                first: known.first, rate: current.rate, effectiveAt: current.effectiveAt,
                confirmations: confirmations, since: known.since, keptUntil: keptUntil))
    }

    /// The end of the last value's stale window.
    ///
    /// It was upstream's word until now, so its window begins now, whatever its data time: at a weekend that is days ago.
    private static func end(
        of last: SymbolRate, dataTime: Timestamp, now: UnixMilliseconds, interval: Duration,
        policy: TierPolicy
    ) -> UnixMilliseconds {
        if let known = last.quarantined { return known.keptUntil }
        guard last.kept != nil else { return now + policy.staleWindow(of: last.source) }
        let time = (last.effectiveAt ?? dataTime).instant
        return policy.keptUntil(source: last.source, dataTime: time, interval: interval)
    }
}
