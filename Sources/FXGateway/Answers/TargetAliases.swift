/// Answers by the bytes of a request target, for targets that were understood before.
///
/// A fixed number of places, four for each hash, the oldest of them replaced: bounded whatever comes, and a flood of
/// other targets costs no more than understanding a target again. A lookup doesn't allocate.
struct TargetAliases {
    private static let ways = 4
    /// Longer targets are understood anew each time.
    static let longest = 1_024

    private var places: [Place]
    private let mask: Int
    private let hash = ByteHash()

    private struct Place {
        var hash: UInt64 = 0
        var target: [UInt8] = []
        var answer: RenderedAnswer?
    }

    /// - Parameter count: of places; a power of two, at least four.
    init(count: Int) {
        precondition(count >= Self.ways && count & (count - 1) == 0, "the number of places is a power of two")
        places = Array(repeating: Place(), count: count)
        mask = count / Self.ways - 1
    }

    /// The answer of a target, if its state still holds at `now`.
    @inline(__always)
    func find(_ target: UnsafeRawBufferPointer, at now: Int64) -> RenderedAnswer? {
        let hash = self.hash(target)
        let first = Int(truncatingIfNeeded: hash) & mask &* Self.ways
        for index in first..<first &+ Self.ways where places[index].hash == hash {
            guard let answer = places[index].answer, ByteHash.equal(places[index].target, target) else {
                continue
            }
            return now < answer.validUntil ? answer : nil
        }
        return nil
    }

    /// Notes what a target stands for.
    mutating func insert(_ target: UnsafeRawBufferPointer, _ answer: RenderedAnswer) {
        guard target.count <= Self.longest else { return }
        let hash = self.hash(target)
        let first = Int(truncatingIfNeeded: hash) & mask &* Self.ways
        let places = first..<first + Self.ways
        let known = places.first {
            self.places[$0].hash == hash && ByteHash.equal(self.places[$0].target, target)
        }
        // The last place of four is the oldest: what is new comes first and pushes the others on.
        for index in stride(from: known ?? places.upperBound - 1, to: first, by: -1) {
            self.places.swapAt(index, index - 1)
        }
        self.places[first] = Place(hash: hash, target: Array(target), answer: answer)
    }

    /// Forgets everything: a snapshot was replaced.
    ///
    /// - Returns: what was held, for whoever takes the time to free it.
    mutating func removeAll() -> TargetAliases {
        defer { self = TargetAliases(count: places.count) }
        return self
    }
}
