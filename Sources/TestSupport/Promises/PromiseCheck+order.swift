import CacheLayer

extension PromiseCheck {
    /// P4: within one source class no instance goes back, and none is behind the others for longer than promised.
    package func order() -> [PromiseViolation] {
        var found: [PromiseViolation] = []
        var last: [String: RateReading] = [:]
        for sample in judged {
            guard let reading = sample.reading, reading.status == 200 else { continue }
            let line = "\(sample.gateway) \(reading.source ?? "")"
            if let before = last[line] {
                if Self.isBefore(reading.dataTime, before.dataTime) {
                    found.append(
                        PromiseViolation(
                            .order, "data time back from \(before.dataTime ?? ""), \(sample)", at: sample.wall
                        ))
                }
                if let older = reading.snapshot, let newer = before.snapshot, older < newer {
                    found.append(
                        PromiseViolation(.order, "back from snapshot \(newer), \(sample)", at: sample.wall))
                }
            }
            last[line] = reading
        }
        // A process or a machine that has no time for anything can't follow either.
        let limit = terms.lag + judged.idle(percent: 100)
        if let (lag, sample) = longestLag(), lag > limit {
            found.append(
                PromiseViolation(.order, "\(lag) behind another instance, \(sample)", at: sample.wall))
        }
        return found
    }

    /// The longest time for which an instance still showed an older snapshot than another one had shown, both of which
    /// could reach Redis.
    package func publicationLag() -> Duration { longestLag()?.lag ?? .zero }

    private func longestLag() -> (lag: Duration, sample: SteadyLoad.Sample)? {
        // The ids begin with the time of the fetch: their order is that of the snapshots.
        var shown: [String: Int64] = [:]
        for sample in judged {
            guard let snapshot = sample.reading?.snapshot else { continue }
            shown[snapshot] = min(shown[snapshot] ?? .max, sample.received)
        }
        let order = shown.sorted { $0.key < $1.key }
        var longest: Int64 = 0
        var worst: SteadyLoad.Sample?
        for sample in judged where !terms.away.contains(where: { $0.contains(sample.wall) }) {
            guard let snapshot = sample.reading?.snapshot else { continue }
            // What was first shown while some were cut off counts from when all are back.
            for (newer, at) in order where newer > snapshot && at < sample.wall {
                let since = terms.away.first { $0.contains(at) }?.upperBound ?? at
                guard sample.wall - since > longest else { continue }
                longest = sample.wall - since
                worst = sample
            }
        }
        return worst.map { (.milliseconds(longest), $0) }
    }

    private static func isBefore(_ time: String?, _ other: String?) -> Bool {
        guard let time = time.flatMap(RateReading.instant), let other = other.flatMap(RateReading.instant)
        else { return false }
        return time < other
    }
}
