/// What a random run has come to.
package struct ChaosRecord: Sendable {
    package let plan: ChaosPlan
    /// Unix time in ms, as all times here.
    package let start: Int64
    package let events: [ChaosEvent]
    package let storms: [Range<Int64>]
    package let check: PromiseCheck
    /// Gateways that should run and don't.
    package let ended: [String]
    /// Which processes ran, and what each logged last.
    package let report: String

    /// All that was broken; empty for a run as promised.
    package var violations: [PromiseViolation] {
        check.violations()
            + ended.map { PromiseViolation(.recovery, "\($0) has ended by itself") }
            + events.filter { $0.note.hasPrefix("SIGTERM ended") }.map {
                PromiseViolation(.recovery, "\($0)", at: $0.time.upperBound)
            }
    }

    /// One line with what was done and seen.
    package var summary: String {
        let answers = check.answers.count { $0.reading != nil }
        let fresh = check.answers.count { $0.isFresh }
        let limited = check.calls.count { $0.status == 429 }
        let ledger = check.ledger.upperBound - check.ledger.lowerBound
        return
            "seed \(plan.settings.seed): \(events.count) faults, \(check.calls.count) calls (\(limited) limited), ledger \(ledger), "
            + "\(answers) answers, \(fresh) of them fresh, p99 \(check.answers.latency(percent: 99)), idle \(check.answers.idle(percent: 99))"
    }

    /// A violation with the time from the run's start, and what was going on then.
    package func describe(_ violation: PromiseViolation) -> String {
        guard let time = violation.time else { return "\(violation)" }
        let around = events.filter {
            $0.time.contains(time) || (time - 3_000..<time).contains($0.time.upperBound)
        }
        let faults = around.isEmpty ? "" : "; around it: " + around.map(place).joined(separator: "; ")
        return "\(violation)\n    at \(seconds(time)) s\(faults)"
    }

    /// The faults as they were done, one a line.
    package var timeline: String {
        events.sorted { $0.time.lowerBound < $1.time.lowerBound }.map(place).joined(separator: "\n")
    }

    private func place(_ event: ChaosEvent) -> String {
        "\(event) [\(seconds(event.time.lowerBound)) to \(seconds(event.time.upperBound)) s]"
    }

    private func seconds(_ time: Int64) -> String {
        let tenths = (time - start) / 100
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
