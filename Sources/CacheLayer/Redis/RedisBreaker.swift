/// Decides when commands are refused because Redis has just failed.
///
/// No clock, no lock, no I/O. Every failure ends the link, so the reconnect is the probe: the breaker never closes
/// without one.
struct RedisBreaker {
    enum State: Hashable {
        /// Calls go through. To `open` on the third failure in a row or one time-out.
        case closed(failures: Int)
        /// Calls are refused. To `halfOpen` when the reconnect begins, not before `until`.
        case open(until: ContinuousClock.Instant)
        /// Calls are refused. To `closed`, one failure short of opening, once the reconnect has succeeded; else to `open`.
        case halfOpen
    }

    private static let failuresToOpen = 3

    private(set) var state = State.closed(failures: 0)
    private var pause: Duration
    private let first: Duration
    private let longest: Duration

    init(first: Duration, longest: Duration) {
        pause = first
        self.first = first
        self.longest = max(first, longest)
    }

    var isRefusing: Bool {
        switch state {
        case .closed: false
        case .open, .halfOpen: true
        }
    }

    /// Notes that the link has ended or could not be made; a time-out opens at once.
    ///
    /// - Returns: until when there should be no reconnect; nil if the breaker doesn't mind.
    mutating func failed(isTimeout: Bool, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        switch state {
        case .closed(let failures) where !isTimeout && failures + 1 < Self.failuresToOpen:
            state = .closed(failures: failures + 1)
            return nil
        case .closed, .open, .halfOpen:
            let until = now + pause
            pause = min(pause * 2, longest)
            state = .open(until: until)
            return until
        }
    }

    /// Notes that the reconnect begins.
    mutating func probing() {
        if case .open = state { state = .halfOpen }
    }

    /// Notes that a link is there and has answered a PING.
    mutating func connected() {
        if isRefusing { state = .closed(failures: Self.failuresToOpen - 1) }
    }

    /// Notes that a command was answered: only that proves that Redis works for us.
    mutating func succeeded() {
        state = .closed(failures: 0)
        pause = first
    }
}
