/// The calls that began within the last 60 seconds, by the second: what holds the limit per minute over the whole fleet.
///
/// A call leaves the window when its whole second is 60 seconds old: never too early.
struct MinuteWindow: Hashable, Sendable {
    struct Second: Hashable, Sendable {
        /// Seconds since 1970.
        let second: Int64
        var calls: Int64
    }

    /// Oldest first, at most 61.
    private(set) var seconds: [Second] = []

    init(seconds: [Second] = []) { self.seconds = seconds }

    private static func end(_ second: Second) -> Int64 { second.second * 1_000 + 999 + 60_000 }

    mutating func note(at now: Int64) {
        seconds.removeAll { Self.end($0) < now }
        let second = now / 1_000
        if seconds.last?.second == second {
            seconds[seconds.count - 1].calls += 1
        } else {
            seconds.append(Second(second: second, calls: 1))
        }
    }

    /// How long until fewer than `limit` calls lie in the window, in milliseconds; zero if that is so now.
    func wait(for limit: Int64, at now: Int64) -> Int64 {
        var count = seconds.reduce(0) { Self.end($1) < now ? $0 : $0 + $1.calls }
        for second in seconds where Self.end(second) >= now {
            if count < limit { return 0 }
            count -= second.calls
            if count < limit { return Self.end(second) + 1 - now }
        }
        return 0
    }

    /// Brings seconds back that a jump of the clock has left in the future; whether there were any.
    mutating func cut(to now: Int64) -> Bool {
        let present = now / 1_000
        let ahead = seconds.filter { $0.second > present }
        guard !ahead.isEmpty else { return false }
        seconds.removeAll { $0.second >= present && ahead.contains($0) }
        let calls = ahead.reduce(0) { $0 + $1.calls }
        if let last = seconds.indices.last, seconds[last].second == present {
            seconds[last].calls += calls
        } else {
            seconds.append(Second(second: present, calls: calls))
        }
        return true
    }
}
