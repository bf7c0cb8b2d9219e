/// How many requests a client may make in a minute.
///
/// Counted by the generic cell rate algorithm: the whole allowance at once, and each request comes back after its share
/// of a minute, so an idle client has all of it after a minute. All that is kept of a client is one instant, at which
/// it is whole again. A pure value; instants are nanoseconds of a clock that measures.
struct Allowance: Hashable, Sendable {
    static let range = 1...1_000_000

    let perMinute: Int
    /// What one request takes, rounded up: never more than the allowance in a minute.
    private var step: Int64 { (60_000_000_000 + Int64(perMinute) - 1) / Int64(perMinute) }
    /// An allowance that was never used.
    static let whole = Int64.min

    enum Decision: Hashable, Sendable {
        /// It may go on: `wholeAt` is to be kept, `left` requests may follow at once, one more after `more` ns.
        case admitted(wholeAt: Int64, left: Int, more: Int64)
        /// It may come again after so many ns; nothing is to be kept.
        case refused(wait: Int64)
    }

    /// `perMinute` must be in `range`.
    init(perMinute: Int) {
        precondition(
            Self.range.contains(perMinute), "an allowance is of one to a million requests in a minute")
        self.perMinute = perMinute
    }

    /// Whether a request at `now` is within the allowance of a client that is whole again at `wholeAt`.
    func decide(wholeAt: Int64, at now: Int64) -> Decision {
        let step = step
        let room = step * Int64(perMinute)
        let used = max(wholeAt, now) - now + step
        guard used <= room else { return .refused(wait: used - room) }
        return .admitted(
            wholeAt: now + used, left: Int((room - used) / step), more: used - (used - 1) / step * step)
    }
}
