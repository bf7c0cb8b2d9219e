import CacheLayer

/// One client as the clients file has it.
struct ClientEntry: Hashable, Sendable {
    /// 1 to 64 of `A-Za-z0-9._-`; unlike any other in the file.
    let name: String
    /// What its tokens must hash to: from one to four, all different in the whole file.
    let tokens: [TokenDigest]
    /// Requests in a minute; nil is no limit.
    let allowance: Allowance?
    /// How fresh its answers must be where a request doesn't say.
    let wish: FreshnessWish
}
