import CacheLayer

/// Whose token it is: found in a time that tells neither whether there is such a token nor how much of it is right.
///
/// A token's digest and a seed that nobody outside knows give a place with room for four. All four are compared, each to
/// its end, whatever stands there: the cost is the same for every token, and for any number of clients. A pure value.
struct TokenTable: Sendable {
    private static let ways = 4

    /// The first is nobody's: what stands where nothing does.
    private let digests: [TokenDigest]
    /// Places in the list of owners; -1 for nobody.
    private let owners: [Int]
    private let places: [Int]
    private let mask: Int
    private let hash: ByteHash

    /// - Parameter tokens: all different, with their owners; these aren't negative.
    init(_ tokens: [(digest: TokenDigest, owner: Int)]) {
        let nobody = (0..<TokenDigest.count).map { _ in UInt8.random(in: 0...UInt8.max) }
        let digests = [nobody.withUnsafeBytes { TokenDigest(of: $0) }] + tokens.map(\.digest)
        self.digests = digests
        owners = [-1] + tokens.map(\.owner)
        var count = Self.ways
        while count < Self.ways * tokens.count { count *= 2 }
        // With room for sixteen times the tokens a seed hardly ever fails; with more room, sooner or later none does.
        for attempt in 1...64 {
            let hash = ByteHash()
            if let places = Self.places(digests, hash, count: count) {
                self.places = places
                self.hash = hash
                mask = count - 1
                return
            }
            if attempt % 8 == 0 { count *= 2 }
        }
        preconditionFailure("tokens are all different")
    }

    /// The owner of a token by its digest; nil if it is nobody's.
    func owner(of digest: TokenDigest) -> Int? {
        let first = digest.withBytes { Self.place($0, hash, mask) }
        var owner = -1
        for index in first..<first + Self.ways {
            let known = places[index]
            let mask = digests[known].matches(digest) ? -1 : 0
            owner = (owner & ~mask) | (owners[known] & mask)
        }
        return owner < 0 ? nil : owner
    }

    /// Puts each digest into its place; nil if one has no room.
    private static func places(_ digests: [TokenDigest], _ hash: ByteHash, count: Int) -> [Int]? {
        var places = [Int](repeating: 0, count: count * ways)
        for (index, digest) in digests.enumerated().dropFirst() {
            let first = digest.withBytes { place($0, hash, count - 1) }
            guard let free = (first..<first + ways).first(where: { places[$0] == 0 }) else { return nil }
            places[free] = index
        }
        return places
    }

    private static func place(_ bytes: UnsafeRawBufferPointer, _ hash: ByteHash, _ mask: Int) -> Int {
        (Int(truncatingIfNeeded: hash(bytes)) & mask) * ways
    }
}
