/// What the calls of one client know together: the tries that are left, and until when nobody asks.
///
/// No clock, lock or I/O: every method returns what to do next.
struct RetryState {
    enum Admission: Equatable {
        case go
        case wait(Duration)
        /// The pause lasts longer than the call may.
        case refuse(ExchangeRateError)
    }

    enum Next: Equatable {
        case again(after: Duration)
        case giveUp
    }

    private struct Pause {
        let until: ContinuousClock.Instant
        let error: ExchangeRateError
    }

    /// The longest pause of a client: whatever `Retry-After` says, once an hour somebody may look.
    private static let longestPause = Duration.seconds(3_600)

    private let policy: RetryPolicy
    /// Tenths of tries, so that a call that went well can earn a part of one.
    private var tenths: Int
    private var pause: Pause?

    init(_ policy: RetryPolicy) {
        self.policy = policy
        tenths = policy.budget * 10
    }

    /// Whether a call that has so much time left may ask now; a call that has waited asks again.
    mutating func admit(
        now: ContinuousClock.Instant, left: Duration, chance: (Duration) -> Duration
    ) -> Admission {
        guard policy.attempts > 0, let pause else { return .go }
        let rest = now.duration(to: pause.until)
        guard rest > .zero else {
            self.pause = nil
            return .go
        }
        // All that wait here would otherwise come back in the same millisecond.
        let wait = rest + chance(Self.spread(of: rest))
        guard rest <= policy.longestWait, wait < left else { return .refuse(pause.error.waiting(rest)) }
        return .wait(wait)
    }

    /// What follows a failure of a call that has tried again `tries` times and has so much time left.
    mutating func next(
        after error: ExchangeRateError, tries: Int, now: ContinuousClock.Instant, left: Duration,
        chance: (Duration) -> Duration
    ) -> Next {
        guard policy.attempts > 0 else { return .giveUp }
        if error.meansWholeClient {
            let until = now + min(error.wait ?? policy.firstWait, Self.longestPause)
            // A pause only grows.
            if pause.map({ $0.until < until }) ?? true { pause = Pause(until: until, error: error) }
        }
        guard error.isWorthAnotherTry, tries < policy.attempts, tenths >= 10 else { return .giveUp }
        let wait: Duration
        if let told = error.wait {
            wait = told + chance(Self.spread(of: told))
            guard told <= policy.longestWait else { return .giveUp }
        } else {
            let grown = min(policy.firstWait * (1 << min(tries, 20)), policy.longestWait)
            wait = grown / 2 + chance(grown / 2)
        }
        guard wait < left else { return .giveUp }
        tenths -= 10
        return .again(after: wait)
    }

    /// Notes a call that went well.
    mutating func succeed() { tenths = min(tenths + 1, policy.budget * 10) }

    /// Over how long those are spread who were told the same wait.
    private static func spread(of wait: Duration) -> Duration {
        min(max(wait / 4, .milliseconds(250)), .seconds(5))
    }
}

extension ExchangeRateError {
    /// Whether the failure tells every call of this client to wait, and not only the one that got it.
    fileprivate var meansWholeClient: Bool {
        switch self {
        case .rateLimited, .quotaExceeded, .unavailable(_, code: .overloaded): true
        default: false
        }
    }

    /// The same failure with what remains of its wait.
    fileprivate func waiting(_ rest: Duration) -> ExchangeRateError {
        switch self {
        case .rateLimited: .rateLimited(wait: rest)
        case .quotaExceeded: .quotaExceeded(wait: rest)
        case .unavailable(_, let code): .unavailable(wait: rest, code: code)
        default: self
        }
    }
}
