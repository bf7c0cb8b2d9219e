/// What upstream says of its limits.
extension ControlRecord {
    /// Extends the cooldown: what remains of it, or nil if this report was taken before.
    ///
    /// By whoever met the limit, also when its token is not the newest.
    mutating func noteLimit(
        _ scope: CooldownScope, wait: Duration, reason: String, _ request: FinishRequest, now: Int64
    ) -> Int64? {
        let isFirst = cooldowns[scope] == nil
        var record =
            cooldowns[scope]
            ?? CooldownRecord(
                end: 0, token: -1, strikes: 0, reason: reason, since: now, attempts: [], isTold: false)
        guard !record.attempts.contains(request.attempt) else { return nil }
        let isNewStrike = request.token.value > record.token
        if isNewStrike { record.strikes += 1 }
        let longest = StoreTimings.longestCooldown(scope).milliseconds
        var pause = min(max(wait.milliseconds, StoreTimings.shortestCooldown.milliseconds), longest)
        if scope == .short { pause = min(pause << min(record.strikes - 1, 12), longest) }
        if now + pause >= record.end {
            record.end = now + pause
            record.reason = reason
        }
        record.token = epoch
        record.attempts = Array(
            (record.attempts + [request.attempt]).suffix(CooldownRecord.attemptsKept))
        record.isTold = false
        if scope == .key, !record.keys.contains(request.key), isFirst || !record.keys.isEmpty {
            record.keys = Array((record.keys + [request.key]).suffix(CooldownRecord.attemptsKept))
        }
        if scope == .short, isNewStrike {
            slowDown = .afterStrike(slowDown, at: now, end: record.end)
        }
        cooldowns[scope] = record
        return record.end - now
    }

    /// Upstream's own numbers, where they can only be this month's.
    ///
    /// "None left" is a pause with a probe, never a count for good: one odd answer must not end the month.
    mutating func hearUpstream(
        _ request: FinishRequest, settled: FlightRecord, plan: PlanNumbers, now: UnixMilliseconds
    ) {
        guard settled.month == ledger.month, MonthEdge(at: now) == .outside else { return }
        if let shown = request.upstreamLimit, shown > 0 {
            ledger.shownLimit = min(shown, PlanNumbers.mostCalls)
        }
        if let count = request.upstreamUsed {
            ledger.hear(upstreamCount: count, reserved: reserved, at: now.value)
        } else if let left = request.upstreamLeft {
            guard left > 0 else {
                _ = noteLimit(
                    .month, wait: StoreTimings.longestMonthCooldown, reason: "none_remaining", request,
                    now: now.value)
                return
            }
            ledger.hear(upstreamCount: max(0, limit(plan) - left), reserved: reserved, at: now.value)
        }
    }
}
