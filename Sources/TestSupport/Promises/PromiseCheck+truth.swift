import CacheLayer

extension PromiseCheck {
    /// P2: every 200 names source, data time, snapshot and state, in its body as in its fields, and all of it is true.
    package func truth() -> [PromiseViolation] {
        judged.flatMap { sample -> [PromiseViolation] in
            guard let reading = sample.reading, reading.status == 200 else { return [] }
            return faults(of: reading, sentAt: sample.wall).map {
                PromiseViolation(.truth, "\($0), \(sample)", at: sample.wall)
            }
        }
    }

    private func faults(of reading: RateReading, sentAt wall: Int64) -> [String] {
        let labels = [reading.source, reading.snapshot, reading.state]
        guard labels.allSatisfy({ $0 != nil }), let age = reading.age.map({ Int64($0) * 1_000 }),
            reading.dataTime.flatMap(RateReading.instant) != nil,
            let fetchedAt = reading.fetchedAt.flatMap(RateReading.instant),
            let freshUntil = reading.freshUntil.flatMap(RateReading.instant)
        else { return ["an answer without all its labels"] }
        var found: [String] = []
        if labels != [reading.fields.source, reading.fields.snapshot, reading.fields.state] {
            found.append("fields that say something else than the body")
        }
        // Times are told in whole seconds, cut, as is the age: each may be up to a second too small.
        let told = max(fetchedAt + age, wall)
        switch reading.state {
        case "fresh":
            if told >= freshUntil + 1_000 + terms.tolerance.milliseconds {
                found.append("fresh \(told - freshUntil) ms after fresh-until")
            }
        case "stale", "late":
            if reading.reason == nil { found.append("\(reading.state ?? "") without a reason") }
        default: found.append("a state that isn't there")
        }
        let hidden = wall - fetchedAt - age - terms.tolerance.milliseconds
        if hidden >= 2_000 { found.append("an age that is \(hidden) ms too small") }
        found += beyondSettings(fetchedAt: fetchedAt, freshUntil: freshUntil, told: told)
        guard let window = reading.staleWindow else { return found + ["no stale window"] }
        if told >= freshUntil + Int64(window) * 1_000 + 2_000 {
            found.append("served \(told - freshUntil) ms after fresh-until, with a window of \(window) s")
        }
        return found
    }

    /// What an answer claims for itself that the settings don't give it.
    ///
    /// Without this a fleet that no longer fetches could call its rates fresh for as long as it says they are.
    private func beyondSettings(fetchedAt: Int64, freshUntil: Int64, told: Int64) -> [String] {
        guard let lifetime = terms.lifetime else { return [] }
        var found: [String] = []
        // Either time is cut to its second.
        if freshUntil - fetchedAt >= lifetime.milliseconds + 1_000 {
            found.append("a lifetime of \(freshUntil - fetchedAt) ms where the settings give \(lifetime)")
        }
        if let window = terms.staleWindow, told - fetchedAt >= (lifetime + window).milliseconds + 2_000 {
            found.append(
                "served \(told - fetchedAt) ms after it was fetched, which the settings allow for \(lifetime + window)"
            )
        }
        return found
    }
}
