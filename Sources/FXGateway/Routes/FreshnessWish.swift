import CacheLayer

/// How fresh an answer must be to be of use to its caller.
///
/// Judged against what is held, never a reason to call upstream.
struct FreshnessWish: Hashable, Sendable {
    /// The oldest data that is taken; nil takes any.
    var maxDataAge: Duration?
    /// The classes that are taken; nil takes any.
    var sources: Set<Source>?
    /// Whether only fresh rates are taken; nil where nothing was said of it, which takes old ones.
    var rejectsStale: Bool?

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
            guard let named = Self.sources(named: names.map { String(decoding: $0, as: UTF8.self) }) else {
                throw .malformed("sources", text, "a list of classes, such as live,ecb_daily")
            }
            sources = named
        }
        if let text = query.value(.onStale) {
            guard let rejects = Self.rejectsStale(String(decoding: text, as: UTF8.self)) else {
                throw .malformed("on_stale", text, "serve or reject")
            }
            rejectsStale = rejects
        }
    }

    /// The classes of a list of 1 to 16 names of 1 to 32 of `A-Za-z0-9._-`; nil for any other list.
    static func sources(named names: [String]) -> Set<Source>? {
        guard (1...16).contains(names.count), names.allSatisfy({ isName($0.utf8) }) else { return nil }
        return Set(names.map { Source(name: $0) })
    }

    private static func isName(_ name: String.UTF8View) -> Bool {
        name.count <= 32 && ClientName.isGood(name)
    }

    /// What `serve` and `reject` mean; nil for any other word.
    static func rejectsStale(_ word: String) -> Bool? {
        switch word {
        case "serve": false
        case "reject": true
        default: nil
        }
    }

    /// This wish, and where it says nothing another one.
    func completed(by standard: FreshnessWish) -> FreshnessWish {
        var wish = self
        wish.maxDataAge = maxDataAge ?? standard.maxDataAge
        wish.sources = sources ?? standard.sources
        wish.rejectsStale = rejectsStale ?? standard.rejectsStale
        return wish
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
        return rejectsStale == true && state != .fresh ? "What is held is \(state.name)." : nil
    }
}
