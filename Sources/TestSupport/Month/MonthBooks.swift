import CacheLayer

/// The books of a simulated month: what upstream and the ledger count, what was promised and not kept.
///
/// A value.
struct MonthBooks: Sendable {
    private let settings: MonthSettings
    private(set) var violations: [MonthViolation] = []
    private(set) var extraCalls = 0
    private(set) var longestPause = Duration.zero
    private(set) var halves = [0, 0]
    private(set) var rolls = 0
    /// Requests for the pivot that nothing could be answered to.
    private(set) var unserved = 0
    private(set) var ages = MonthAges()
    private var demand = MonthDemand(kept: .seconds(3_600))
    private var counted: [Month: Int] = [:]
    private var ledgers: [Month: Int64] = [:]
    private var ledgerMonth: Month?
    private var last: [Resource: (instant: UnixMilliseconds, interval: Duration)] = [:]
    private var credits: [Credit] = []

    /// A fault that may cost one call more than one for each interval.
    private struct Credit: Sendable {
        let resource: Resource
        let instant: UnixMilliseconds
    }

    /// More are of no use to anybody.
    private static let mostViolations = 20

    init(settings: MonthSettings) { self.settings = settings }

    // MARK: What happens

    /// A call leaves; `ledger` is as it was granted.
    mutating func call(
        _ call: MonthUpstream.Call, ledger: InMemoryRateStore.Ledger?, at now: UnixMilliseconds
    ) {
        let month = Month(containing: now)
        if call.status != 200 { fault("upstream answers \(call.resource) with \(call.status)", at: now) }
        counted[month] = call.counted
        if isInMonth(now) { halves[(now - settings.month.start) * 2 < length ? 0 : 1] += 1 }
        if let ledger, ledger.isOpen, ledger.month == month, ledger.counted < Int64(call.counted) {
            fault("upstream counts \(call.counted) calls, the ledger \(ledger.counted)", at: now)
        }
        if let before = last[call.resource] {
            let distance = now - before.instant
            if call.resource == settings.pivot, isInMonth(now) { longestPause = max(longestPause, distance) }
            // The pace of a month ends with it: another plan begins.
            if distance < before.interval, Month(containing: before.instant) == month {
                early(call.resource, since: before.instant, of: before.interval, at: now)
            }
        }
        last[call.resource] = (now, call.interval)
        credits.removeAll { $0.resource == call.resource && $0.instant < now }
    }

    private mutating func early(
        _ resource: Resource, since: UnixMilliseconds, of interval: Duration, at now: UnixMilliseconds
    ) {
        // Each fault is good for one, and only in the interval in which it struck.
        let place = credits.firstIndex { $0.resource == resource && $0.instant >= since }
        guard let place else {
            fault("\(resource) is called after \(now - since) of an interval of \(interval)", at: now)
            return
        }
        credits.remove(at: place)
        extraCalls += 1
    }

    /// The holder of this resource's lease ends in mid-call.
    mutating func lostLease(_ resource: Resource, at now: UnixMilliseconds) {
        credits.append(Credit(resource: resource, instant: now))
    }

    /// The store loses writes: with them what it knew of each resource.
    mutating func storeLoss(at now: UnixMilliseconds) {
        for resource in last.keys { credits.append(Credit(resource: resource, instant: now)) }
    }

    /// What the store has written at present.
    mutating func watch(_ ledger: InMemoryRateStore.Ledger?, at now: UnixMilliseconds) {
        guard let ledger, ledgers[ledger.month] != ledger.counted || ledgerMonth != ledger.month else {
            return
        }
        if let month = ledgerMonth, ledger.month > month { rolls += 1 }
        if let month = ledgerMonth, ledger.month < month {
            fault("the ledger goes back from \(month) to \(ledger.month)", at: now)
        }
        ledgerMonth = ledger.month
        ledgers[ledger.month] = ledger.counted
        if ledger.counted > settings.plan { fault("the ledger stands at \(ledger.counted)", at: now) }
    }

    /// A request, and how old the data was that it got; nil if nothing could be served.
    mutating func request(for resource: Resource, age: Duration?, at now: UnixMilliseconds) {
        guard isInMonth(now) else { return }
        demand.ask(resource, at: now, monthEnd: settings.month.next.start)
        guard resource == settings.pivot else { return }
        if let age { ages.add(age) } else { unserved += 1 }
    }

    /// The fleet has passed the whole time.
    mutating func close(at now: UnixMilliseconds) {
        for (month, calls) in counted.sorted(by: { $0.key < $1.key }) {
            guard let ledger = ledgers[month], calls <= ledger, ledger <= settings.plan else {
                let ledger = ledgers[month].map(String.init) ?? "none"
                fault("\(month): \(calls) calls, ledger \(ledger), plan \(settings.plan)", at: now)
                continue
            }
        }
        if rolls != 2 { fault("the ledger rolled \(rolls) times over two month ends", at: now) }
        if calls * 100 < useful * 85 {
            fault("\(calls) calls are under 85 % of the \(useful) that could be used", at: now)
        }
    }

    mutating func fault(_ text: String, at now: UnixMilliseconds) {
        guard violations.count < Self.mostViolations else { return }
        violations.append(MonthViolation(instant: now, seed: settings.seed, text: text))
    }

    // MARK: What is in them

    /// Upstream's count of the month.
    var calls: Int64 { Int64(counted[settings.month] ?? 0) }
    var ledger: Int64 { ledgers[settings.month] ?? 0 }
    /// The plan, or all that a lifetime lets the demand use, if that is less.
    var useful: Int64 { min(settings.plan, demand.most(lifetime: settings.liveTTL)) }

    private var length: Duration { settings.month.next.start - settings.month.start }

    private func isInMonth(_ now: UnixMilliseconds) -> Bool {
        now >= settings.month.start && now < settings.month.next.start
    }
}
