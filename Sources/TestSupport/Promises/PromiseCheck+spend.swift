import CacheLayer

extension PromiseCheck {
    /// P1: calls <= ledger <= plan; one call per resource and interval, so many at one time as are allowed, and one more for
    /// each lost lease.
    package func spend() -> [PromiseViolation] {
        var found: [PromiseViolation] = []
        let growth = ledger.upperBound - ledger.lowerBound
        if calls.count > growth {
            found.append(PromiseViolation(.spend, "\(calls.count) calls, \(growth) in the ledger"))
        }
        if ledger.upperBound > terms.plan {
            found.append(
                PromiseViolation(.spend, "\(ledger.upperBound) in the ledger, a plan of \(terms.plan)"))
        }
        let close = closeCalls()
        if close.count > terms.lostLeases { found += close }
        return found + crowdedCalls()
    }

    /// Calls that no grants explain which keep the interval, each with its call at most the start slack later.
    ///
    /// Each loss of a lease excuses one of them.
    private func closeCalls() -> [PromiseViolation] {
        var found: [PromiseViolation] = []
        var losses = terms.losses.sorted { $0.upperBound < $1.upperBound }
        for (path, calls) in Dictionary(grouping: calls, by: \.path) {
            var grant = Int64.min
            var before: PromiseCall?
            for call in calls {
                let least =
                    (before.map(hasFailed) == true ? terms.retryAfter : terms.interval) - terms.tolerance
                let earliest = before == nil ? Int64.min : grant + least.milliseconds
                if earliest > call.received {
                    if let loss = losses.firstIndex(where: { $0.contains(call.received) }) {
                        losses.remove(at: loss)
                    } else {
                        let distance = call.received - (before?.received ?? 0)
                        found.append(
                            PromiseViolation(.spend, "\(path) again after \(distance) ms", at: call.received))
                    }
                    grant = call.received
                } else {
                    grant = max(earliest, call.received - terms.startSlack.milliseconds)
                }
                before = call
            }
        }
        return found
    }

    private func hasFailed(_ call: PromiseCall) -> Bool {
        call.status != 200 || terms.failing.contains { $0.contains(call.received) }
    }

    /// Calls that came while as many as are allowed were under way.
    private func crowdedCalls() -> [PromiseViolation] {
        calls.compactMap { call in
            let lost = terms.losses.count { $0.contains(call.received) }
            guard call.concurrent > terms.cap + terms.lostLeases + lost else { return nil }
            return PromiseViolation(
                .spend, "\(call.concurrent) calls at one time, \(terms.cap) allowed", at: call.received)
        }
    }
}
