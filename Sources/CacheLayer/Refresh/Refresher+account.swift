import Telemetry

/// Upstream's own count of the month, presence in the fleet, and the clocks.
extension Refresher {
    /// How much rests on the account's answer; nil where it isn't to be asked.
    var accountNeed: AccountNeed? {
        guard settings.hasAccount, let shadow = memory.shadow else { return nil }
        return AccountNeed(shadow, running: started?.duration(to: time.now()) ?? .zero)
    }

    /// Wants the account's usage, by one instance of the fleet.
    func wantAccount(at now: ContinuousClock.Instant) {
        started = started ?? now
        guard accountNeed != nil else {
            if flights[.account] == nil { states[.account] = nil }
            return
        }
        states[.account, default: ResourceState()].ask(.asked, at: now)
    }

    /// Whether a resource that is due may be fetched before what is under way has ended.
    func mayLaunch(_ resource: Resource) -> Bool {
        if accountNeed == .first, resource != .account, let account = states[.account],
            flights[.account] != nil || account.mayAsk(at: time.now()) && account.condition == .idle
        {
            return false
        }
        if resource == .account, accountNeed == .first { return true }
        return !resource.goesBehindLatest || !flights.keys.contains(where: \.isLatest)
    }

    /// Says with a look, every ten seconds, that this instance is a member, and under which limits.
    func attendIfDue() async {
        let now = time.now()
        guard nextAttend.map({ $0 <= now }) ?? true else { return }
        nextAttend = now.advanced(by: StoreTimings.presence)
        // One that can't be noted is noted the next time; the look tells how the store is.
        try? await store.attend(settings.holder, MemberLimits(settings.plan))
    }

    /// Tells once that the clocks disagree, and once that they agree again.
    func tellClocks(_ shadow: Shadow, sent: ContinuousClock.Instant) {
        let now = time.now()
        clockDifference = shadow.now + sent.duration(to: now) - time.wall()
        let isDisputed =
            clockDifference > Decide.clockTolerance || clockDifference < .zero - Decide.clockTolerance
        guard isDisputed != hasToldClocks else { return }
        hasToldClocks = isDisputed
        if isDisputed {
            logger.log(
                .error, "Redis's clock and this instance's differ; upstream calls stop until they agree",
                [.seconds: String(clockDifference.milliseconds / 1_000)])
        } else {
            logger.log(.notice, "Redis's clock and this instance's agree again")
            for (resource, state) in states {
                if case .clockDisputed = state.condition { set(resource, .idle) }
            }
        }
    }
}
