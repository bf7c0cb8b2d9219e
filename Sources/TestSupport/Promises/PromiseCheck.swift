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

    /// Whom was asked.
    var gateways: [Int] { Set(answers.map(\.gateway)).sorted() }

    /// The answers of instances that had not been ended by then.
    var judged: [SteadyLoad.Sample] {
        answers.filter { sample in terms.ends[sample.gateway].map { sample.received < $0 } ?? true }
    }

    /// Whether the process was stopped at any time between question and answer, or, with `measuring`, that to the question
    /// without rates that followed.
    func isAsleep(_ sample: SteadyLoad.Sample, measuring: Bool = false) -> Bool {
        let end = sample.received + (measuring ? sample.idle?.milliseconds ?? 0 : 0)
        return terms.asleep[sample.gateway]?.contains {
            $0.lowerBound <= end && sample.wall <= $0.upperBound
        } ?? false
    }
}

extension SteadyLoad.Sample {
    /// When its answer had come, or was given up: Unix time in ms.
    var received: Int64 { wall + latency.milliseconds }

    var isFresh: Bool { reading?.status == 200 && reading?.state == "fresh" }
}
