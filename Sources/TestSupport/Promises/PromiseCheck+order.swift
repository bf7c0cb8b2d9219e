import CacheLayer

extension PromiseCheck {
    /// P4: within one source class no instance goes back, and none is behind the others for longer than promised.
    package func order() -> [PromiseViolation] {
        var found: [String] = []
        var last: [String: RateReading] = [:]
        for sample in judged {
            guard let reading = sample.reading, reading.status == 200 else { continue }
            let line = "\(sample.gateway) \(reading.source ?? "")"
            if let before = last[line] {
                if Self.isBefore(reading.dataTime, before.dataTime) {
                    found.append("data time back from \(before.dataTime ?? ""), \(sample)")
                }
                if let older = reading.snapshot, let newer = before.snapshot, older < newer {
                    found.append("back from snapshot \(newer), \(sample)")
                }
            }
            last[line] = reading
        }
        let lag = publicationLag()
        if lag > terms.lag { found.append("an instance \(lag) behind another one") }
        return found.map { PromiseViolation(.order, $0) }
    }

    /// The longest time for which an instance still showed an older snapshot than another one had shown, both of which
    /// could reach Redis.
    package func publicationLag() -> Duration {
        // The ids begin with the time of the fetch: their order is that of the snapshots.
        var shown: [String: Int64] = [:]
        for sample in judged {
            guard let snapshot = sample.reading?.snapshot else { continue }
            shown[snapshot] = min(shown[snapshot] ?? .max, sample.received)
        }
        let order = shown.sorted { $0.key < $1.key }
        var longest: Int64 = 0
        for sample in judged where !terms.away.contains(where: { $0.contains(sample.wall) }) {
            guard let snapshot = sample.reading?.snapshot else { continue }
            // What was first shown while some were cut off counts from when all are back.
            for (newer, at) in order where newer > snapshot && at < sample.wall {
                let since = terms.away.first { $0.contains(at) }?.upperBound ?? at
                longest = max(longest, sample.wall - since)
            }
        }
        return .milliseconds(longest)
    }

    private static func isBefore(_ time: String?, _ other: String?) -> Bool {
        guard let time = time.flatMap(RateReading.instant), let other = other.flatMap(RateReading.instant)
        else { return false }
        return time < other
    }
}
