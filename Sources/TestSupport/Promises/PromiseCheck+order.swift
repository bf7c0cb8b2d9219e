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
        // A process or a machine that has no time for anything can't follow either, while that lasts.
        let late = lags().filter { $0.lag > terms.lag && $0.lag > terms.lag + idle(around: $0.sample) }
        if let (lag, sample) = late.max(by: { $0.lag < $1.lag }) {
            found.append(
                PromiseViolation(.order, "\(lag) behind another instance, \(sample)", at: sample.wall))
        }
        return found
    }

    /// The longest time for which an instance still showed an older snapshot than another one had shown, both of which
    /// could reach Redis.
    package func publicationLag() -> Duration { lags().map(\.lag).max() ?? .zero }

    /// The longest time for an answer without rates within two seconds of a sample, of processes that weren't stopped.
    private func idle(around sample: SteadyLoad.Sample) -> Duration {
        judged.filter { abs($0.wall - sample.wall) <= 2_000 && !isAsleep($0, measuring: true) }.idle(
            percent: 100)
    }

    /// Each answer with an older snapshot than another instance had shown, and for how long it had.
    private func lags() -> [(lag: Duration, sample: SteadyLoad.Sample)] {
        // The ids begin with the time of the fetch: their order is that of the snapshots.
        var shown: [String: Int64] = [:]
        for sample in judged {
            guard let snapshot = sample.reading?.snapshot else { continue }
            shown[snapshot] = min(shown[snapshot] ?? .max, sample.received)
        }
        let order = shown.sorted { $0.key < $1.key }
        return judged.compactMap { sample in
            guard !isAsleep(sample), !terms.away.contains(where: { $0.contains(sample.wall) }),
                let snapshot = sample.reading?.snapshot
            else { return nil }
            // What was first shown while some were cut off counts from when all are back.
            let longest = order.lazy.filter { $0.key > snapshot && $0.value < sample.wall }.map { _, at in
                sample.wall - (terms.away.first { $0.contains(at) }?.upperBound ?? at)
            }.max()
            return longest.map { (.milliseconds(max(0, $0)), sample) }
        }
    }

    private static func isBefore(_ time: String?, _ other: String?) -> Bool {
        guard let time = time.flatMap(RateReading.instant), let other = other.flatMap(RateReading.instant)
        else { return false }
        return time < other
    }
}
