/// What the control of version 0.1.0 says while instances of both versions share one Redis.
///
/// Read once as a testimony, then followed for as long as instances of that version call.
struct LegacyControl: Hashable, Sendable {
    let month: Month
    /// Its whole count: calls of its own, and those of this version that were added to it.
    let used: Int64
    let external: Int64
    let epoch: Int64
    let purged: Int64
    /// Its pauses, with their ends in milliseconds of the store's clock.
    let cooldowns: [Cooldown]

    struct Cooldown: Hashable, Sendable {
        let scope: CooldownScope
        let end: Int64
        let strikes: Int64
        let reason: String
    }
}
