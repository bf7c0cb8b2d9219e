/// What instances have asked of the store, and what it has told them.
package struct StoreWork: Hashable, Sendable {
    package var looks = 0
    package var begins = 0
    package var finishes = 0
    /// Snapshots that were read by name; a look brings those that it finds newer along.
    package var reads = 0
    package var others = 0
    /// Messages that have reached an instance.
    package var messages = 0

    package init() {}

    /// Each is one round trip.
    package var commands: Int { looks + begins + finishes + reads + others }

    static func + (one: StoreWork, other: StoreWork) -> StoreWork {
        var sum = one
        sum.looks += other.looks
        sum.begins += other.begins
        sum.finishes += other.finishes
        sum.reads += other.reads
        sum.others += other.others
        sum.messages += other.messages
        return sum
    }

    static func - (one: StoreWork, other: StoreWork) -> StoreWork {
        var rest = one
        rest.looks -= other.looks
        rest.begins -= other.begins
        rest.finishes -= other.finishes
        rest.reads -= other.reads
        rest.others -= other.others
        rest.messages -= other.messages
        return rest
    }
}
