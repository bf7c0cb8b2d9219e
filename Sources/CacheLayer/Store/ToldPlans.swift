/// The monthly plans under which instances have asked lately.
///
/// Instances that are restarted one after the other have different plans for a while: the smallest holds for all until
/// nobody asks under it any more. Instants and lengths are milliseconds by the store's clock.
struct ToldPlans: Hashable, Sendable {
    private struct Told: Hashable, Sendable {
        let calls: Int64
        var end: Int64
    }

    /// From the smallest on.
    private var told: [Told] = []

    /// How long a plan holds for all after somebody has asked under it.
    ///
    /// Instances look once a second; the pace of a raised plan follows after this.
    static let kept: Int64 = 10_000
    /// What is left of a note that isn't renewed yet: a fleet at rest writes once in two seconds and not at each look.
    static let toldAgain: Int64 = 8_000
    /// More different plans at once are a mistake; the largest are forgotten.
    static let most = 4

    /// The smallest plan of all; nil if nobody has told one.
    var smallest: Int64? { told.first?.calls }

    /// Notes that somebody asks under this plan, and forgets those under which nobody asks any more.
    mutating func note(_ calls: Int64, at now: Int64) {
        for place in told.indices { told[place].end = min(told[place].end, now + Self.kept) }
        told.removeAll { $0.end <= now }
        if let place = told.firstIndex(where: { $0.calls == calls }) {
            if told[place].end < now + Self.toldAgain { told[place].end = now + Self.kept }
        } else {
            told.append(Told(calls: calls, end: now + Self.kept))
            told.sort { $0.calls < $1.calls }
            if told.count > Self.most { told.removeLast() }
        }
    }
}
