/// How several resources that are in demand at once share what the pace lets the fleet spend.
///
/// Pure functions. Without it each would be fetched at the pace of the whole budget: three tables would use three times as
/// much, and the month's last third would have next to nothing.
enum PaceShare {
    /// One resource's part of the target, in permille of the calls left: 1 to `target`.
    ///
    /// All get equal parts, but for those that are fetched so seldom that they need less: what they leave is for the
    /// others.
    ///
    /// - Parameters:
    ///   - target: what all together may spend, in permille of the calls left.
    ///   - pace: the interval if one resource alone had the whole target; nil where nothing is left.
    ///   - own: the least interval of the resource that is asked about.
    ///   - others: those of all others in demand.
    /// - Returns: the part, rounded down, at least 1.
    static func permille(of target: Int64, pace: Duration?, own: Duration, others: [Duration]) -> Int64 {
        guard let pace, !others.isEmpty else { return target }
        // In millionths of the whole: what fetching it once in its least interval takes.
        func need(_ least: Duration) -> Int64 {
            let part = pace.milliseconds.multipliedReportingOverflow(by: whole)
            guard !part.overflow, least > .zero else { return whole }
            return min(whole, (part.partialValue + least.milliseconds - 1) / least.milliseconds)
        }
        let mine = need(own)
        var rest = whole
        var count = Int64(others.count + 1)
        for one in (others.map(need) + [mine]).sorted() {
            guard one * count < rest else { break }
            // What is no more than a fair part is left to it; its own interval keeps it from spending more.
            if one == mine { return target }
            rest -= one
            count -= 1
        }
        return max(1, target * rest / (count * whole))
    }

    private static let whole: Int64 = 1_000_000
}
