import CacheLayer

extension PromiseCheck {
    /// P5: no call during a pause, and the end that clients are told only moves away.
    package func cooldown() -> [PromiseViolation] {
        var found: [PromiseViolation] = []
        for pause in terms.cooldowns + askedPauses() {
            let end = pause.upperBound - terms.tolerance.milliseconds
            for call in calls where call.received >= pause.lowerBound && call.received < end {
                found.append(
                    PromiseViolation(
                        .cooldown,
                        "a call \(call.received - pause.lowerBound) ms into a pause of \(pause.count)",
                        at: call.received))
            }
        }
        var told: [Int: Int64] = [:]
        for sample in judged {
            guard let until = sample.reading?.cooldownUntil.flatMap(RateReading.instant) else { continue }
            // Told in whole seconds.
            if let before = told[sample.gateway], sample.wall < before, until < before - 1_000 {
                found.append(
                    PromiseViolation(
                        .cooldown,
                        "a pause that ended \(before - until) ms earlier than told before, \(sample)",
                        at: sample.wall))
            }
            told[sample.gateway] = until
        }
        return found
    }

    /// The pauses that upstream's own 429s have asked for, each from when nobody can have missed it.
    ///
    /// A grant from before may still become a call within the start slack. Nothing that the fleet says of itself goes in here.
    func askedPauses() -> [Range<Int64>] {
        calls.compactMap { call in
            guard call.status == 429, let wait = call.retryAfter else { return nil }
            let answered = call.received + call.delay.milliseconds
            // The call that met it is none of those that it forbids.
            let known = answered + max(1, terms.startSlack.milliseconds)
            let learning = call.received..<known + terms.lag.milliseconds
            guard !terms.untold.contains(where: { $0.overlaps(learning) }) else { return nil }
            let asked = answered + wait.milliseconds
            let end = terms.forgotten.filter { $0 >= call.received }.min().map { min($0, asked) } ?? asked
            return known < end ? known..<end : nil
        }
    }
}
