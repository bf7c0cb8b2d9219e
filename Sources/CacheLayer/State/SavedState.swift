/// All that a state file holds, as a value.
///
/// What one instance needs to begin where it ended: what it held, what it knew of the fleet's control, what it has called
/// without the store, and, where it is alone, the control itself. Nothing secret.
package struct SavedState: Hashable, Sendable {
    /// The name under which this file's owner reports its calls without the store; drawn once, kept for good.
    var instance: String
    var written: StateMoment
    /// The highest token that the store has drawn for a snapshot of this instance's.
    var floor = FencingToken.none
    var ledger: Ledger?
    var cooldowns: [Cooldown] = []
    var offline = Offline()
    /// The control of the in-memory store; nil where the store is Redis.
    var control: ControlRecord?
    var snapshots: [Held] = []

    /// The highest token in it.
    var highestToken: FencingToken { snapshots.reduce(floor) { max($0, $1.stored.token) } }

    /// The control as last told to this instance.
    struct Ledger: Hashable, Sendable {
        var birth: String
        var month: Month
        var counted: Int64
        var assumed: Int64
        var external: Int64
        var plan: Int64
        /// The last token drawn.
        var epoch: FencingToken
        /// Instances that were there within the hour; nil if never told.
        var instances: Int64?
        /// The other members that were there when it was told.
        var members: [String] = []
        /// The store's time when it told.
        var toldAt: UnixMilliseconds
        /// How long before `written` that was.
        var age: Duration
    }

    /// A pause of upstream calls, by the wall clock.
    struct Cooldown: Hashable, Sendable {
        var scope: CooldownScope
        var end: UnixMilliseconds
        var strikes: Int64
        var reason: String
        /// Of the scope `key`: whose keys were refused; empty means everybody's.
        var keys: [KeyMark] = []
    }

    /// The calls made while the store was away.
    struct Offline: Hashable, Sendable {
        /// Nil before the first one.
        var month: Month?
        /// Of that month, as a running total.
        var calls: Int64 = 0
        /// Those of the last hour: how long before `written`, and how many.
        var recent: [Recent] = []

        struct Recent: Hashable, Sendable {
            var age: Duration
            var calls: Int64
        }
    }

    /// A snapshot, and how old it was when the file was written.
    struct Held: Hashable, Sendable {
        var stored: StoredSnapshot
        var age: Duration
    }

    /// More snapshots than this are never written: the pivot and the other bases fit many times over.
    static let mostSnapshots = 256
}
