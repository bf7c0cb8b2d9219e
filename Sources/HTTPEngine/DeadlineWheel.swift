/// When each of a loop's connections is to be looked at next, in ticks; made for many that rarely run out.
///
/// A later deadline is only noted and found when its old place comes up, so that a busy connection costs one store per
/// request. No clock and no I/O in here: the owner says what tick it is.
struct DeadlineWheel {
    /// A deadline that never comes.
    static let never = UInt32.max

    private(set) var now: UInt32
    private var spokes: [Int32]
    private var entries: [Entry] = []

    private struct Entry {
        var deadline = DeadlineWheel.never
        /// The tick at which the entry is looked at, never after its deadline; 0 in no spoke.
        var place: UInt32 = 0
        var next: Int32 = -1
        var previous: Int32 = -1
    }

    /// A wheel with `size` spokes, a power of two; deadlines further away than that are looked at on the way.
    init(now: UInt32 = 1, size: Int = 256) {
        precondition(size > 1 && size & (size - 1) == 0, "the number of spokes is a power of two")
        self.now = now
        spokes = Array(repeating: -1, count: size)
    }

    /// Sets or moves the deadline of `slot`; one that isn't in the future comes at the next tick.
    mutating func set(_ slot: Int, at tick: UInt32) {
        while entries.count <= slot { entries.append(Entry()) }
        let deadline = max(tick, now &+ 1)
        entries[slot].deadline = deadline
        let place = entries[slot].place
        if place != 0 {
            if place <= deadline { return }
            unlink(slot)
        }
        if deadline != Self.never { link(slot, at: deadline) }
    }

    /// Takes `slot` out; a slot that has no deadline is fine.
    mutating func remove(_ slot: Int) {
        guard slot < entries.count else { return }
        entries[slot].deadline = Self.never
        if entries[slot].place != 0 { unlink(slot) }
    }

    /// Goes on to `tick` and takes out the next slot whose deadline has come, until there is none.
    ///
    /// One at a time, so that the caller may set and remove deadlines in between.
    mutating func nextExpired(upTo tick: UInt32) -> Int? {
        if tick > now, tick - now > UInt32(spokes.count) { now = tick - UInt32(spokes.count) }
        while true {
            // The spoke of `now` itself may still hold entries: the caller comes back for each.
            while let slot = first(in: now) {
                unlink(slot)
                let deadline = entries[slot].deadline
                if deadline <= now {
                    entries[slot].deadline = Self.never
                    return slot
                }
                if deadline != Self.never { link(slot, at: deadline) }
            }
            if now >= tick { return nil }
            now += 1
        }
    }

    /// Moves the clock of an empty wheel.
    mutating func restart(at tick: UInt32) {
        now = max(now, tick)
    }

    private func first(in tick: UInt32) -> Int? {
        let slot = spokes[Int(tick) & (spokes.count - 1)]
        return slot < 0 ? nil : Int(slot)
    }

    private mutating func link(_ slot: Int, at tick: UInt32) {
        let place = min(tick, now &+ UInt32(spokes.count - 1))
        let spoke = Int(place) & (spokes.count - 1)
        let next = spokes[spoke]
        entries[slot].place = place
        entries[slot].next = next
        entries[slot].previous = -1
        if next >= 0 { entries[Int(next)].previous = Int32(slot) }
        spokes[spoke] = Int32(slot)
    }

    private mutating func unlink(_ slot: Int) {
        let entry = entries[slot]
        if entry.previous >= 0 {
            entries[Int(entry.previous)].next = entry.next
        } else {
            spokes[Int(entry.place) & (spokes.count - 1)] = entry.next
        }
        if entry.next >= 0 { entries[Int(entry.next)].previous = entry.previous }
        entries[slot].place = 0
    }
}
