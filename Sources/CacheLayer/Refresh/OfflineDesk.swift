/// What an instance keeps for its calls without the store.
///
/// A pure value.
struct OfflineDesk: Sendable {
    let budget: OfflineBudget
    /// The name under which the calls are reported: the same in all lives of the state file, so that a running total told
    /// twice is counted once.
    let witness: String
    var calls = OfflineCalls()
    /// Since when the store is missed; nil while it answers.
    var missedSince: ContinuousClock.Instant?
    /// One call at a time.
    var isCalling = false
    /// Why the last wish was refused.
    private(set) var refusal: OfflineBudget.Refusal?
    /// After a file that couldn't be written, nothing is tried before that.
    private var writableAgain: ContinuousClock.Instant?
    private var backOffs: [Resource: BackOff] = [:]

    private struct BackOff {
        var strikes: Int64 = 0
        var end: ContinuousClock.Instant
    }

    /// A disk that has refused is asked again after this.
    static let writePause = Duration.seconds(5)

    init(budget: OfflineBudget, witness: String) {
        self.budget = budget
        self.witness = witness
    }

    /// May it call now? Without a state file it may not.
    mutating func answer(_ situation: OfflineBudget.Situation, hasFile: Bool, at now: ContinuousClock.Instant)
        -> OfflineBudget.Answer
    {
        var answer = budget.answer(situation)
        if case .call = answer {
            if !hasFile { answer = .no(.uncounted, wait: nil) }
            if let end = writableAgain, end > now { answer = .no(.uncounted, wait: now.duration(to: end)) }
        }
        refusal = if case .no(let refusal, _) = answer { refusal } else { nil }
        return answer
    }

    /// What remains of the back-off after failures without the store.
    func backOff(of resource: Resource, at now: ContinuousClock.Instant) -> Duration {
        backOffs[resource].map { max(.zero, now.duration(to: $0.end)) } ?? .zero
    }

    /// The file couldn't be written: the call wasn't made.
    mutating func notCounted(at now: ContinuousClock.Instant) {
        calls.takeBack()
        refusal = .uncounted
        writableAgain = now.advanced(by: Self.writePause)
    }

    mutating func succeeded(_ resource: Resource) { backOffs[resource] = nil }

    /// Notes a failure; how long nothing is to be tried.
    ///
    /// As in the store: a second, doubling up to the interval.
    mutating func failed(_ resource: Resource, interval: Duration, at now: ContinuousClock.Instant)
        -> Duration
    {
        let strikes = (backOffs[resource]?.strikes ?? 0) + 1
        let wait = Duration.milliseconds(
            Pace.backOff(strikes: strikes, limit: interval.milliseconds, token: 0))
        backOffs[resource] = BackOff(strikes: strikes, end: now.advanced(by: wait))
        return wait
    }
}
