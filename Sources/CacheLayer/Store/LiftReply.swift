/// What came of lifting a cooldown.
package enum LiftReply: Hashable, Sendable {
    /// There was one of that scope (for the key also a refused kind of resource), and there is none any more.
    case lifted
    /// There was none.
    case nothing
    /// The control isn't the one the caller knows: tell it what you remember, then lift again.
    case lost
}
