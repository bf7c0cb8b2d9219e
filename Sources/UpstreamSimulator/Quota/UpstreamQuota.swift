/// Counts calls by calendar month, hour and minute and refuses what is beyond the plan.
///
/// No clock of its own.
///
/// Each window starts at its own calendar bound, UTC: a month at 00:00 on the 1st. A call that is refused isn't counted.
struct UpstreamQuota: Sendable {
    /// What the X-RateLimit fields tell: the window that has least left, the longer one if several have.
    struct Allowance: Equatable, Sendable {
        let remaining: Int
        /// Unix seconds.
        let resetsAt: Int64
    }

    enum Verdict: Equatable, Sendable {
        /// The allowance is what is left after this call; nil without limits.
        case admitted(Allowance?)
        case refused(UpstreamError, Allowance, retryAfterSeconds: Int64)
    }

    private struct Window: Hashable, Sendable {
        let identity: CallerIdentity
        let span: Span
    }

    private enum Span: Hashable, Sendable, CaseIterable { case month, hour, minute }

    private struct Tally: Sendable {
        var start: Int64
        var calls: Int
    }

    let limits: QuotaLimits
    private var tallies: [Window: Tally] = [:]

    init(limits: QuotaLimits) { self.limits = limits }

    mutating func admit(_ identity: CallerIdentity, at time: SimulatedTime) -> Verdict {
        for span in Span.allCases {
            guard let limit = limit(of: span, for: identity) else { continue }
            let bounds = Self.bounds(of: span, at: time)
            guard calls(identity, span, since: bounds.start) >= limit else { continue }
            let allowance = Allowance(remaining: 0, resetsAt: bounds.end / 1_000)
            let wait = (bounds.end - time.milliseconds + 999) / 1_000
            return .refused(Self.error(of: span, for: identity), allowance, retryAfterSeconds: wait)
        }
        var tightest: Allowance?
        for span in Span.allCases {
            let bounds = Self.bounds(of: span, at: time)
            let calls = calls(identity, span, since: bounds.start) + 1
            tallies[Window(identity: identity, span: span)] = Tally(start: bounds.start, calls: calls)
            guard let limit = limit(of: span, for: identity) else { continue }
            let allowance = Allowance(remaining: limit - calls, resetsAt: bounds.end / 1_000)
            if tightest.map({ allowance.remaining < $0.remaining }) ?? true { tightest = allowance }
        }
        return .admitted(tightest)
    }

    func callsThisMonth(of identity: CallerIdentity, at time: SimulatedTime) -> Int {
        calls(identity, .month, since: Self.bounds(of: .month, at: time).start)
    }

    /// The first day of the next month.
    static func monthlyReset(at time: SimulatedTime) -> CalendarDay {
        SimulatedTime(milliseconds: bounds(of: .month, at: time).end).day
    }

    /// Makes all counters zero.
    mutating func reset() { tallies = [:] }

    private func calls(_ identity: CallerIdentity, _ span: Span, since start: Int64) -> Int {
        guard let tally = tallies[Window(identity: identity, span: span)], tally.start == start else {
            return 0
        }
        return tally.calls
    }

    private func limit(of span: Span, for identity: CallerIdentity) -> Int? {
        switch (span, identity) {
        case (.month, .key): limits.monthly
        case (.hour, .address): limits.perHour
        case (.minute, _): limits.perMinute
        case (.month, .address), (.hour, .key): nil
        }
    }

    private static func error(of span: Span, for identity: CallerIdentity) -> UpstreamError {
        switch (span, identity) {
        case (.month, _): .quotaExceeded
        case (_, .address): .addressLimited
        case (_, .key): .rateLimited
        }
    }

    /// First millisecond of the window that holds `time`, and of the next one.
    private static func bounds(of span: Span, at time: SimulatedTime) -> (start: Int64, end: Int64) {
        switch span {
        case .month:
            let (year, month, _) = time.day.parts
            let first = CalendarDay(year: year, month: month, day: 1)
            let next =
                month == 12
                ? CalendarDay(year: year + 1, month: 1, day: 1)
                : CalendarDay(year: year, month: month + 1, day: 1)
            return (Int64(first.number) * 86_400_000, Int64(next.number) * 86_400_000)
        case .hour: return fixed(3_600_000, time)
        case .minute: return fixed(60_000, time)
        }
    }

    private static func fixed(_ length: Int64, _ time: SimulatedTime) -> (start: Int64, end: Int64) {
        let remainder = ((time.milliseconds % length) + length) % length
        return (time.milliseconds - remainder, time.milliseconds - remainder + length)
    }
}
