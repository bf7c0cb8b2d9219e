import CacheLayer

/// Judges a recorded run by the promises P1 to P6 of `docs/design.md`.
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
        spend() + truth() + latency() + order() + cooldown() + recovery()
    }

    /// P1: calls <= ledger <= plan; one call per resource and interval, one at a time, and one more for each lost lease.
    package func spend() -> [PromiseViolation] {
        var found: [String] = []
        let growth = ledger.upperBound - ledger.lowerBound
        if calls.count > growth { found.append("\(calls.count) calls, \(growth) in the ledger") }
        if ledger.upperBound > terms.plan {
            found.append("\(ledger.upperBound) in the ledger, a plan of \(terms.plan)")
        }
        let least = (terms.interval - terms.tolerance).milliseconds
        var close: [String] = []
        for (path, calls) in Dictionary(grouping: calls, by: { $0.target.prefix { $0 != "?" } }) {
            for (call, next) in zip(calls, calls.dropFirst()) where next.received - call.received < least {
                close.append("\(path) again after \(next.received - call.received) ms")
            }
        }
        if close.count > terms.lostLeases { found += close }
        let most = calls.map(\.concurrent).max() ?? 0
        if most > 1 + terms.lostLeases { found.append("\(most) calls at one time") }
        return found.map { PromiseViolation(.spend, $0) }
    }

    /// P3: every request is answered, with rates once there were some, and 99 of 100 soon; overall and during each fault.
    package func latency() -> [PromiseViolation] {
        var found: [String] = []
        var warm: Set<Int> = []
        for sample in judged {
            let status = sample.reading?.status
            if status == 200 { warm.insert(sample.gateway) }
            if status != 200, warm.contains(sample.gateway) {
                found.append("\(status.map(String.init) ?? "no answer") after rates were held, \(sample)")
            }
        }
        for (name, part) in [("the run", judged)] + terms.faults.map({ ("a fault", within($0)) }) {
            let p99 = part.latency(percent: 99)
            if part.isEmpty, !answers.isEmpty { found.append("nothing was asked during \(name)") }
            if p99 > terms.longestAnswer { found.append("p99 of \(p99) during \(name)") }
        }
        return found.map { PromiseViolation(.latency, $0) }
    }

    /// P5: no call during a pause, and the end that clients are told only moves away.
    package func cooldown() -> [PromiseViolation] {
        var found: [String] = []
        for pause in terms.cooldowns {
            let end = pause.upperBound - terms.tolerance.milliseconds
            for call in calls where call.received >= pause.lowerBound && call.received < end {
                found.append("a call \(call.received - pause.lowerBound) ms into a pause of \(pause.count)")
            }
        }
        var told: [Int: Int64] = [:]
        for sample in judged {
            guard let until = sample.reading?.cooldownUntil.flatMap(RateReading.instant) else { continue }
            // Told in whole seconds.
            if let before = told[sample.gateway], sample.wall < before, until < before - 1_000 {
                found.append("a pause that ended \(before - until) ms earlier than told before, \(sample)")
            }
            told[sample.gateway] = until
        }
        return found.map { PromiseViolation(.cooldown, $0) }
    }

    /// P6: an interval and five seconds after each fault and pause all instances are fresh, and stay so until the next one.
    package func recovery() -> [PromiseViolation] {
        guard !answers.isEmpty else { return [] }
        var found: [String] = []
        let starts = (terms.faults + terms.cooldowns).map(\.lowerBound).sorted()
        for fault in terms.faults + terms.cooldowns {
            // A pause or a further fault that begins or goes on puts it off.
            let limit = fault.upperBound + (terms.interval + terms.recovery).milliseconds
            let until = starts.first { $0 >= fault.upperBound } ?? .max
            let isPaused = terms.cooldowns.contains { $0.contains(fault.upperBound) }
            guard limit < until, !isPaused else { continue }
            for gateway in gateways where terms.ends[gateway] == nil {
                let own = judged.filter {
                    $0.gateway == gateway && $0.wall >= fault.upperBound && $0.wall < until
                }
                if let stale = own.first(where: { $0.wall > limit && !$0.isFresh }) {
                    found.append("not fresh \(stale.wall - fault.upperBound) ms after a fault, \(stale)")
                } else if own.last?.isFresh != true {
                    found.append("gateway \(gateway) isn't seen to be fresh after a fault")
                }
            }
        }
        return found.map { PromiseViolation(.recovery, $0) }
    }

    /// Whom was asked.
    var gateways: [Int] { Set(answers.map(\.gateway)).sorted() }

    /// The answers of instances that had not been ended by then.
    var judged: [SteadyLoad.Sample] {
        answers.filter { sample in terms.ends[sample.gateway].map { sample.received < $0 } ?? true }
    }

    private func within(_ time: Range<Int64>) -> [SteadyLoad.Sample] {
        judged.filter { time.contains($0.wall) }
    }
}

extension SteadyLoad.Sample {
    /// When its answer had come, or was given up: Unix time in ms.
    var received: Int64 { wall + latency.milliseconds }

    var isFresh: Bool { reading?.status == 200 && reading?.state == "fresh" }
}
