import CacheLayer

extension PromiseCheck {
    /// P6: an interval and five seconds after each fault and pause all instances are fresh, and stay so until the next one;
    /// and they are so because upstream is called.
    package func recovery() -> [PromiseViolation] {
        guard let last = answers.last else { return [] }
        let calms = self.calms
        let stale = calms.flatMap { calm in
            gateways.filter { terms.ends[$0] == nil }.compactMap { gateway in
                unrecovered(gateway, since: calm.since, limit: calm.since + grace, until: calm.until)
            }
        }
        let times = terms.faults + terms.cooldowns
        let begin = (judged.first { $0.isFresh } ?? last).wall
        let start = (since: begin, until: times.map(\.lowerBound).min() ?? .max)
        return stale + ([start] + calms).compactMap { silence(from: $0.since + grace, until: $0.until) }
    }

    /// One interval, as a slow-down has made it, and the promised time after it, in ms.
    private var grace: Int64 { ((terms.slowInterval ?? terms.interval) + terms.recovery).milliseconds }

    /// The times without a fault or a pause that outlast what is promised after one, each from the end of the last one on.
    private var calms: [(since: Int64, until: Int64)] {
        let times = terms.faults + terms.cooldowns
        return times.compactMap { fault in
            // A pause or a further fault that begins or goes on puts it off.
            let until = times.map(\.lowerBound).filter { $0 >= fault.upperBound }.min() ?? .max
            guard fault.upperBound + grace < until, !times.contains(where: { $0.contains(fault.upperBound) })
            else { return nil }
            return (fault.upperBound, until)
        }
    }

    /// Rates that are asked for though nobody has called for them in all the time that is promised after a fault.
    ///
    /// Whatever the answers say of themselves: who is fresh all that time has called within it.
    private func silence(from limit: Int64, until: Int64) -> PromiseViolation? {
        let own = calls.filter { $0.path == terms.demand }.map(\.received)
        guard !own.isEmpty else { return nil }
        let silent = judged.first { sample in
            sample.wall >= limit && sample.wall < until
                && !own.contains { $0 > sample.wall - grace && $0 <= sample.received }
        }
        return silent.map { sample in
            let last = own.last { $0 <= sample.wall }.map { "\(sample.wall - $0) ms" } ?? "the beginning"
            return PromiseViolation(
                .recovery, "no call for \(terms.demand) since \(last), \(sample)", at: sample.wall)
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
}
