/// A pause of upstream calls.
///
/// Outlives its end until a success clears it: that is what makes one probe possible.
struct CooldownRecord: Hashable, Sendable {
    /// By the store's clock.
    var end: Int64
    /// The last token drawn when upstream limited us: a later one may probe, clear or count as a new strike.
    var token: Int64
    /// Limits in a row; those of overlapping calls are one.
    var strikes: Int64
    var reason: String
    /// When the first of these limits was met.
    var since: Int64
    /// Whose reports it has taken, the last eight: the same report has no second effect.
    var attempts: [AttemptID]
    /// Brought back by a witness in this life of the control, and not met again since.
    var isTold: Bool
    /// Of the scope `key`: whose keys were refused, the last eight; empty means everybody's.
    var keys: [KeyMark] = []

    /// How many reports are remembered: more than calls can be in flight where limits are met.
    static let attemptsKept = 8

    func isRunning(at now: Int64) -> Bool { end > now }

    /// Whether it stops an instance with this key.
    func holds(for key: KeyMark) -> Bool { keys.isEmpty || keys.contains(key) }
}
