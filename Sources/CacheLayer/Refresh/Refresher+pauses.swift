import Telemetry

/// Says when upstream calls pause for a limit, a spent month or a refused key, and when they go on.
extension Refresher {
    /// One line at the start of each pause as this instance learns of it, one at its end.
    func tellPause(at now: ContinuousClock.Instant) {
        let running = memory.runningCooldown(at: now, key: key)
        guard running?.0 != toldPause else { return }
        toldPause = running?.0
        guard let (scope, rest) = running else { return logger.log(.notice, "upstream calls go on") }
        let reason = memory.shadow?.cooldowns.first { $0.scope == scope }?.reason
        logger.log(
            .notice, "upstream calls pause",
            [
                .scope: scope.rawValue, .reason: reason ?? scope.rawValue,
                .seconds: String(max(1, (rest.milliseconds + 999) / 1_000)),
            ])
    }
}
