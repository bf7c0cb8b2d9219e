/// How much rests on upstream's own count of the month: how soon and how often the account is asked.
enum AccountNeed: Hashable, Sendable {
    /// Much of the month is only assumed: before anything else is called.
    case first
    /// The month seems spent, or upstream has paused it.
    case soon
    /// A budget to look after.
    case daily

    /// The distance between two calls for it.
    var interval: Duration {
        switch self {
        case .first, .soon: .seconds(3_600)
        case .daily: RefreshSettings.accountInterval
        }
    }

    /// By what the store last told; `running` is how long this instance runs.
    init?(_ shadow: Shadow, running: Duration) {
        let isPaused = shadow.cooldowns.contains { $0.scope == .month }
        if shadow.evidenceAt == nil,
            shadow.assumedReason == Assumption.Reason.before.rawValue
                || shadow.assumed * 50 > shadow.plan
        {
            self = .first
        } else if isPaused || shadow.left == 0 {
            self = .soon
        } else if shadow.booked * 10 >= shadow.plan * 9 {
            // The last calls of a small plan are for rates.
            guard shadow.left >= 100 else { return nil }
            self = .soon
        } else if running >= RefreshSettings.accountDelay {
            self = .daily
        } else {
            return nil
        }
    }
}
