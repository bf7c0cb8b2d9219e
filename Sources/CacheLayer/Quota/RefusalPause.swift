/// How long a kind of resource that upstream refuses (403) isn't asked for: an hour, doubling, at most a day.
enum RefusalPause {
    static let first: Int64 = 3_600_000
    static let longest: Int64 = 86_400_000
    /// A refusal is forgotten so long after its end: the next one begins anew.
    static let kept: Int64 = 2 * 86_400_000

    static func length(strikes: Int64) -> Int64 { min(first << min(max(strikes, 1) - 1, 5), longest) }
}
