import CacheLayer

/// How old the data was that requests were answered with, by whole seconds.
struct MonthAges: Sendable {
    private var counts: [Int64: Int] = [:]
    private(set) var answers = 0

    mutating func add(_ age: Duration) {
        counts[age.milliseconds / 1_000, default: 0] += 1
        answers += 1
    }

    var worst: Duration { .seconds(counts.keys.max() ?? 0) }

    /// Half of the answers were at most so old.
    var median: Duration {
        var rest = (answers + 1) / 2
        for (age, count) in counts.sorted(by: { $0.key < $1.key }) {
            rest -= count
            if rest <= 0 { return .seconds(age) }
        }
        return .zero
    }
}
