/// That upstream refuses one kind of resource to one key (403).
///
/// Outlives its end, so that the next refusal is known to be one more in a row.
struct RefusalRecord: Hashable, Sendable {
    /// `Resource.refusalKind`.
    let kind: String
    let key: KeyMark
    /// By the store's clock.
    var end: Int64
    var strikes: Int64
    /// The newest token that met it: a later one counts anew.
    var token: Int64

    /// At most so many are kept, the newest.
    static let kept = 32
}
