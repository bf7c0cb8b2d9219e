import CacheLayer

/// How fresh an answer must be to be of use to its caller.
///
/// Judged against what is held, never a reason to call upstream.
struct FreshnessWish: Hashable, Sendable {
    /// The oldest data that is taken; nil takes any.
    var maxDataAge: Duration?
    /// The classes that are taken; nil takes any.
    var sources: Set<Source>?
    /// Whether only fresh rates are taken.
    var rejectsStale = false

    /// Whatever is served.
    static let any = FreshnessWish()

    private init() {}

    /// Reads `max_data_age=90s`, `sources=live,ecb_daily` and `on_stale=serve|reject`.
    ///
    /// - Throws: a 400 that names the parameter.
    init(_ query: QueryText) throws(Problem) {
        if let text = query.value(.maxDataAge) {
            guard let age = UnitText.duration(String(decoding: text, as: UTF8.self)) else {
                throw .malformed("max_data_age", text, "a time with its unit, such as 90s or 4d")
            }
            maxDataAge = age
        }
        if let text = query.value(.sources) {
            let names = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard names.count <= 16, names.allSatisfy({ !$0.isEmpty && $0.count <= 32 }) else {
                throw .malformed("sources", text, "a list of classes, such as live,ecb_daily")
            }
            sources = Set(names.map { Source(name: String(decoding: $0, as: UTF8.self)) })
        }
        switch query.value(.onStale).map({ String(decoding: $0, as: UTF8.self) }) {
        case nil, "serve": break
        case "reject": rejectsStale = true
        case .some: throw .malformed("on_stale", query.value(.onStale) ?? [], "serve or reject")
        }
    }

    /// What is missing in an answer whose oldest data is so old, in one sentence; nil if nothing is.
    func shortfall(age: Duration, sources held: Set<Source>, state: Freshness) -> String? {
        if let maxDataAge, age > maxDataAge {
            return
                "The oldest data is \(age.milliseconds / 1_000) s old, more than \(UnitText.text(maxDataAge))."
        }
        if let sources, !held.isSubset(of: sources) {
            let names = held.subtracting(sources).map(\.name).sorted().joined(separator: ", ")
            return "Some rates are of another class: \(names)."
        }
        return rejectsStale && state != .fresh ? "The rates are \(state.name)." : nil
    }
}
