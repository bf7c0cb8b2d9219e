import Glibc

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
    /// From the system's randomness, so that nobody outside can choose targets that share a place.
    private let seed = UInt64.random(in: 1...UInt64.max)

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
        let hash = hash(target)
        let first = Int(truncatingIfNeeded: hash) & mask &* Self.ways
        for index in first..<first &+ Self.ways where places[index].hash == hash {
            guard let answer = places[index].answer, Self.equal(places[index].target, target) else {
                continue
            }
            return now < answer.validUntil ? answer : nil
        }
        return nil
    }

    /// Notes what a target stands for.
    mutating func insert(_ target: UnsafeRawBufferPointer, _ answer: RenderedAnswer) {
        guard target.count <= Self.longest else { return }
        let hash = hash(target)
        let first = Int(truncatingIfNeeded: hash) & mask &* Self.ways
        let places = first..<first + Self.ways
        let known = places.first {
            self.places[$0].hash == hash && Self.equal(self.places[$0].target, target)
        }
        // The last place of four is the oldest: what is new comes first and pushes the others on.
        for index in stride(from: known ?? places.upperBound - 1, to: first, by: -1) {
            self.places.swapAt(index, index - 1)
        }
        self.places[first] = Place(hash: hash, target: Array(target), answer: answer)
    }

    /// Forgets everything: a snapshot was replaced.
    mutating func removeAll() {
        for index in places.indices where places[index].answer != nil { places[index] = Place() }
    }

    /// Eight bytes at a time, multiplied and folded; the seed makes it this process's own.
    @inline(__always)
    private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index &+ 8 <= bytes.count {
            hash = Self.mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        var tail: UInt64 = 0
        while index < bytes.count {
            tail = tail << 8 | UInt64(bytes[index])
            index &+= 1
        }
        return Self.mix(hash ^ tail)
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }

    @inline(__always)
    private static func equal(_ known: [UInt8], _ target: UnsafeRawBufferPointer) -> Bool {
        guard known.count == target.count, let start = target.baseAddress else { return false }
        return known.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memcmp($0, start, target.count) == 0 } ?? false
        }
    }
}
