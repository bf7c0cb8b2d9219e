/// Calls to upstream, and who has caused them: counted in millionths of a call, so that shared ones add up exactly.
///
/// The shares of all clients, with those of nobody, are always `calls` whole calls. A pure value.
struct CallTally: Hashable, Sendable {
    /// Parts of one call.
    static let whole: Int64 = 1_000_000

    private(set) var calls: Int64 = 0
    /// Millionths by clients' numbers; nobody's calls among them.
    private(set) var shares: [Int: Int64] = [:]
    /// Calls by their class in the ledger.
    private(set) var classes: [String: Int64] = [:]

    /// Counts one call, in equal parts for `causes`; nobody's if there are none.
    ///
    /// What can't be divided goes, a millionth each, to some of them: to others with each call, so that it evens out.
    mutating func add(_ callClass: String, causedBy causes: [Int]) {
        let causes = causes.isEmpty ? [ClientNames.none] : causes.sorted()
        let count = Int64(causes.count)
        for (place, number) in causes.enumerated() {
            let turn = (Int64(place) + calls) % count
            shares[number, default: 0] += Self.whole / count + (turn < Self.whole % count ? 1 : 0)
        }
        calls += 1
        classes[callClass, default: 0] += 1
    }

    /// A number of millionths as a decimal number of calls, exact and without zeros at its end.
    static func text(_ millionths: Int64) -> String {
        let rest = millionths % whole
        guard rest > 0 else { return String(millionths / whole) }
        var digits = String(String(whole + rest).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(millionths / whole).\(digits)"
    }
}
