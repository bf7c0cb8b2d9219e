/// The calls of this instance in a row that were denied without saying whether the key is meant.
///
/// A pure value. One odd answer, of a proxy or of an upstream that can't check keys for a moment, must not stop a fleet; a
/// key that is refused again and again must.
struct DenialStreak: Hashable, Sendable {
    /// What the newest denial comes to.
    enum Meaning: Hashable, Sendable {
        /// A failed fetch; no retry before `wait`.
        case failure(wait: Duration)
        /// The pause of a refused key.
        case pause(CooldownReading.Reason)
    }

    /// When the latest denials came, `most` of them at the most.
    private var instants: [ContinuousClock.Instant] = []
    private var length: Int64 = 0
    private var lastWasUnauthorized = false

    /// So many in a row within `span` pause all calls with the key.
    static let most = 6
    static let span = Duration.seconds(600)
    /// The wait after the first one, which doubles with each.
    static let firstWait = Duration.seconds(5)

    /// Notes one more.
    ///
    /// Two 401 in a row mean the key, and so does any denial of the probe after its pause. `limit` is the longest wait, but
    /// never less than the first one.
    mutating func note(
        _ denial: UpstreamVerdict.Denial, isProbe: Bool, at now: ContinuousClock.Instant, limit: Duration
    ) -> Meaning {
        if isProbe || denial == .unauthorized && lastWasUnauthorized {
            end()
            return .pause(.keyRejected)
        }
        lastWasUnauthorized = denial == .unauthorized
        length += 1
        instants = (instants + [now]).suffix(Self.most)
        if instants.count == Self.most, instants[0].duration(to: now) <= Self.span {
            end()
            return .pause(.accessDenied)
        }
        let wait = Self.firstWait * (1 << min(length - 1, 20))
        return .failure(wait: min(wait, max(limit, Self.firstWait)))
    }

    /// Upstream has answered something else: the next denial is the first one again.
    mutating func end() { self = DenialStreak() }
}
