/// What came of lifting a cooldown.
package enum LiftReply: Hashable, Sendable {
    /// There is none of that scope any more.
    case lifted
    /// The control isn't the one the caller knows: tell it what you remember, then lift again.
    case lost
}
