import Foundation

/// How fresh rates must be to be of use.
///
/// A gateway refuses what doesn't meet it (503 `freshnessUnavailable`, with the wait until the next refresh). Answers that
/// come from upstream itself, which knows no such wish, are held against it here (`notFresh`). It never causes a call.
///
/// It is meant of the latest rates alone: `latest`, `rate` and `convert` without a past moment. Past snapshots, days, ranges
/// and the list of currencies are neither asked for with it nor held against it, at a gateway or upstream; judge a past day by
/// `freshness(at:)`.
public struct FreshnessWish: Sendable, Hashable {
    /// The greatest age of the data; nil for any.
    ///
    /// At least a second, else calls end with `invalidArgument`; sent in whole seconds, rounded down.
    public var maxDataAge: Duration?
    /// The freshness classes that are taken; empty for all.
    public var sources: [Source]
    /// Whether rates past their lifetime are refused.
    ///
    /// Upstream's own answers have no lifetime that anybody vouches for: all of them are refused.
    public var rejectsStale: Bool

    /// A wish; without arguments none.
    public init(maxDataAge: Duration? = nil, sources: [Source] = [], rejectsStale: Bool = false) {
        self.maxDataAge = maxDataAge
        self.sources = sources
        self.rejectsStale = rejectsStale
    }

    /// Anything that the service serves.
    public static let none = FreshnessWish()

    /// The parameters of a request; `invalidArgument` for an age under a second, which no gateway takes.
    func query() throws(ExchangeRateError) -> [(String, String)] {
        var query: [(String, String)] = []
        if let maxDataAge {
            guard maxDataAge >= .seconds(1) else {
                throw .invalidArgument(name: "maxDataAge", value: "\(maxDataAge)")
            }
            query.append(("max_data_age", "\(maxDataAge.components.seconds)s"))
        }
        if !sources.isEmpty { query.append(("sources", sources.map(\.rawValue).joined(separator: ","))) }
        if rejectsStale { query.append(("on_stale", "reject")) }
        return query
    }

    /// Holds an answer against the wish that no gateway has judged.
    func check(_ labels: Labels, at now: Date) throws(ExchangeRateError) {
        guard labels.cache == nil else { return }
        guard !rejectsStale else { throw .notFresh(.unstated) }
        let classes = labels.sources.isEmpty ? labels.source.map { [$0] } ?? [] : Array(labels.sources.values)
        if !sources.isEmpty, classes.isEmpty || !classes.allSatisfy(sources.contains) {
            throw .notFresh(.unstated)
        }
        if let maxDataAge {
            let times =
                labels.effectiveAt.isEmpty
                ? [labels.dataUpdatedAt].compactMap { $0 } : Array(labels.effectiveAt.values)
            guard let oldest = times.min(),
                now.timeIntervalSince(oldest) <= Double(maxDataAge.components.seconds)
            else { throw .notFresh(.unstated) }
        }
    }
}
