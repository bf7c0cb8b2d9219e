import CacheLayer

/// Judges a recorded run by the promises P1 to P8 of `docs/design.md`.
///
/// A pure value: it knows the answers that clients got, upstream's own log of calls and how far the ledger has grown, and
/// nothing of the gateways.
package struct PromiseCheck: Sendable {
    package var terms: PromiseTerms
    /// Answers in the order in which they were asked for.
    package var answers: [SteadyLoad.Sample]
    package var calls: [PromiseCall]
    /// The ledger before the first call and after the last one.
    package var ledger: ClosedRange<Int>
    /// What upstream has written for a rate, by data time; where a time is missing nothing is known.
    package var digits: [String: String] = [:]
    /// The symbol of these rates.
    package var symbol = "USD"
    /// What may stand nowhere.
    package var secrets: [String] = []
    /// All that was written besides the answers, by its place.
    package var writings: [(place: String, text: String)] = []

    /// A run of which some may be unknown: what isn't given breaks no promise.
    package init(
        _ terms: PromiseTerms, answers: [SteadyLoad.Sample] = [], calls: [PromiseCall] = [],
        ledger: ClosedRange<Int>? = nil
    ) {
        self.terms = terms
        self.answers = answers
        self.calls = calls
        self.ledger = ledger ?? 0...calls.count
    }

    /// All that was broken, promise by promise; empty for a run as promised.
    package func violations() -> [PromiseViolation] {
        spend() + truth() + latency() + order() + cooldown() + recovery() + exactness() + secrecy()
    }

    /// P3: every request is answered, with rates once there were some, and 99 of 100 soon; overall and during each fault.
    package func latency() -> [PromiseViolation] {
        var found: [PromiseViolation] = []
        var warm: Set<Int> = []
        var held: [SteadyLoad.Sample] = []
        for sample in judged where !isAsleep(sample) {
            let status = sample.reading?.status
            if warm.contains(sample.gateway) { held.append(sample) }
            if status == 200 { warm.insert(sample.gateway) }
            if status != 200, warm.contains(sample.gateway) {
                found.append(
                    PromiseViolation(.latency, "no rates though they were held, \(sample)", at: sample.wall))
            }
        }
        for (name, time) in [("the run", nil)] + terms.faults.map({ ("a fault", $0) }) {
            let part = time.map { time in held.filter { time.contains($0.wall) } } ?? held
            let p99 = part.latency(percent: 99)
            // What an answer without rates takes at the same time is the machine's.
            let limit = terms.longestAnswer + part.idle(percent: 99)
            if part.isEmpty, !answers.isEmpty {
                found.append(
                    PromiseViolation(.latency, "nothing was asked during \(name)", at: time?.lowerBound))
            }
            if p99 > limit {
                found.append(PromiseViolation(.latency, "p99 of \(p99) during \(name)", at: time?.lowerBound))
            }
        }
        return found
    }

    /// P5: no call during a pause, and the end that clients are told only moves away.
    package func cooldown() -> [PromiseViolation] {
        var found: [PromiseViolation] = []
        for pause in terms.cooldowns {
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

    /// P6: an interval and five seconds after each fault and pause all instances are fresh, and stay so until the next one.
    package func recovery() -> [PromiseViolation] {
        guard !answers.isEmpty else { return [] }
        let times = terms.faults + terms.cooldowns
        return times.flatMap { fault -> [PromiseViolation] in
            // A pause or a further fault that begins or goes on puts it off.
            let interval = terms.slowInterval ?? terms.interval
            let limit = fault.upperBound + (interval + terms.recovery).milliseconds
            let until = times.map(\.lowerBound).filter { $0 >= fault.upperBound }.min() ?? .max
            guard limit < until, !times.contains(where: { $0.contains(fault.upperBound) }) else { return [] }
            return gateways.filter { terms.ends[$0] == nil }.compactMap { gateway in
                unrecovered(gateway, since: fault.upperBound, limit: limit, until: until)
            }
        }
    }

    private func unrecovered(
        _ gateway: Int, since end: Int64, limit: Int64, until: Int64
    ) -> PromiseViolation? {
        let all = judged.filter { $0.gateway == gateway }
        // It came with a later fault: this one is none of its own.
        if let first = all.first, first.wall >= until { return nil }
        let own = all.filter { $0.wall >= end && $0.wall < until }
        if let stale = own.first(where: { $0.wall > limit && !$0.isFresh }) {
            return PromiseViolation(
                .recovery, "not fresh \(stale.wall - end) ms after a fault, \(stale)", at: stale.wall)
        }
        guard own.last?.isFresh == true else {
            return PromiseViolation(
                .recovery, "gateway \(gateway) isn't seen to be fresh after a fault",
                at: own.last?.wall ?? end)
        }
        return nil
    }

    /// Whom was asked.
    var gateways: [Int] { Set(answers.map(\.gateway)).sorted() }

    /// The answers of instances that had not been ended by then.
    var judged: [SteadyLoad.Sample] {
        answers.filter { sample in terms.ends[sample.gateway].map { sample.received < $0 } ?? true }
    }

    /// Whether the process was stopped at any time between question and answer.
    private func isAsleep(_ sample: SteadyLoad.Sample) -> Bool {
        terms.asleep[sample.gateway]?.contains {
            $0.lowerBound <= sample.received && sample.wall <= $0.upperBound
        } ?? false
    }
}

extension SteadyLoad.Sample {
    /// When its answer had come, or was given up: Unix time in ms.
    var received: Int64 { wall + latency.milliseconds }

    var isFresh: Bool { reading?.status == 200 && reading?.state == "fresh" }
}
