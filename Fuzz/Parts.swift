/// An input cut into several: by a mark that none of them needs.
enum Parts {
    /// The parts between bytes of 0xFF, which is in no UTF-8.
    static func split(_ bytes: [UInt8], most: Int = .max) -> [[UInt8]] {
        bytes.split(separator: 0xFF, maxSplits: most - 1, omittingEmptySubsequences: false).map(Array.init)
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Array {
    /// The element at a place, or nil behind the end.
    func at(_ place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
