/// The calls that this instance has made while the store was away.
///
/// A pure value. Of the month as a running total, which is never told twice; of the last hour with their instants, on a
/// clock that doesn't step.
struct OfflineCalls: Hashable, Sendable {
    /// Nil before the first one.
    private(set) var month: Month?
    /// Of that month.
    private(set) var calls: Int64 = 0
    /// What of them the store has been told.
    private(set) var told: Int64 = 0
    /// Oldest first.
    private(set) var recent: [Recent] = []

    struct Recent: Hashable, Sendable {
        var at: ContinuousClock.Instant
        var calls: Int64
    }

    /// More entries than this are merged in pairs, each pair at its later instant: a call may then be counted for longer
    /// than an hour, never for less.
    static let mostRecent = 128
    static let hour = Duration.seconds(3_600)

    init() {}

    /// What a state file says, `elapsed` after it was written.
    init(_ saved: SavedState.Offline, elapsed: Duration, now: ContinuousClock.Instant) {
        month = saved.month
        calls = saved.calls
        recent = saved.recent.map { Recent(at: now.advanced(by: .zero - $0.age - elapsed), calls: $0.calls) }
        forget(at: now)
    }

    func saved(at now: ContinuousClock.Instant) -> SavedState.Offline {
        SavedState.Offline(
            month: month, calls: calls,
            recent: recent.map { .init(age: max(.zero, $0.at.duration(to: now)), calls: $0.calls) })
    }

    /// Counts a call, before it leaves.
    ///
    /// A new month begins at nought; an earlier one than the last counts into the last.
    mutating func add(in month: Month, at now: ContinuousClock.Instant) {
        if self.month.map({ $0 < month }) ?? true {
            self.month = month
            calls = 0
            told = 0
        }
        calls += 1
        forget(at: now)
        recent.append(Recent(at: now, calls: 1))
        guard recent.count > Self.mostRecent else { return }
        recent = stride(from: 0, to: recent.count, by: 2).map { place in
            guard place + 1 < recent.count else { return recent[place] }
            return Recent(at: recent[place + 1].at, calls: recent[place].calls + recent[place + 1].calls)
        }
    }

    /// Takes the newest call back: it never left.
    mutating func takeBack() {
        guard calls > told, let last = recent.indices.last else { return }
        calls -= 1
        recent[last].calls -= 1
        if recent[last].calls == 0 { recent.removeLast() }
    }

    /// Those of this month.
    func calls(in month: Month) -> Int64 { self.month.map { $0 >= month } ?? false ? calls : 0 }

    /// Those of the last hour, half-open: one made exactly an hour ago is over.
    func lastHour(at now: ContinuousClock.Instant) -> Int64 {
        recent.reduce(0) { $1.at.duration(to: now) < Self.hour ? $0 + $1.calls : $0 }
    }

    /// How long until fewer than `limit` lie in the last hour; zero if that is so now.
    func wait(for limit: Int64, at now: ContinuousClock.Instant) -> Duration {
        var left = lastHour(at: now)
        for entry in recent where entry.at.duration(to: now) < Self.hour {
            if left < limit { return .zero }
            left -= entry.calls
            if left < limit { return Self.hour - entry.at.duration(to: now) }
        }
        return .zero
    }

    /// The running total as the store takes it; nil before the first call.
    var total: Testimony.Offline? {
        month.map { Testimony.Offline(month: $0.description, calls: calls) }
    }

    /// Whether the store has yet to hear of any of them.
    var isUntold: Bool { calls > told }

    /// The store has been told so many.
    mutating func tell(_ total: Testimony.Offline) {
        guard total.month == month?.description else { return }
        told = max(told, total.calls)
    }

    private mutating func forget(at now: ContinuousClock.Instant) {
        recent.removeAll { $0.at.duration(to: now) >= Self.hour }
    }
}
