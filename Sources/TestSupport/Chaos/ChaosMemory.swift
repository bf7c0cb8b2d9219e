/// What a fleet may have forgotten of a pause by the faults that were done to it, so that it can't be held to it.
package enum ChaosMemory {
    /// How long before a loss, and after it, an instance must have been well to have known of a pause and to tell of it: the
    /// longest pause that upstream asks for in a mix is six seconds, and a control that is lost is noticed within one.
    private static let known = 10_000 as Int64
    private static let told = 5_000 as Int64

    /// When the word of a 429 may not have got from the one who met it to Redis and the others, with a second in which links
    /// are made anew.
    package static func untold(_ events: [ChaosEvent]) -> [Range<Int64>] {
        events.filter { $0.step.kind.losesLease }.map { $0.time.lowerBound..<$0.time.upperBound + 1_000 }
    }

    /// When Redis lost its data while every place was struck around it: nobody need have known any more.
    package static func forgotten(_ events: [ChaosEvent], places: Int) -> [Int64] {
        events.filter { $0.step.kind.losesData }.map(\.time.lowerBound).filter { lost in
            let around = lost - known..<lost + told
            let struck = events.filter { $0.step.kind.losesLease && $0.time.overlaps(around) }
            return Set(struck.compactMap(\.step.gateway)).count >= places
        }
    }
}
