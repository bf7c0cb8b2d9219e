/// Whole numbers as the store tells them: instants in milliseconds, counts, tokens.
///
/// Our scripts write at most 15 digits. What stands in Redis may be anybody's, and comes over the channel from whoever may
/// publish: a number beyond is cut, so that no sum and no product with a few digits runs over.
enum StoreNumber {
    static let range: ClosedRange<Int64> = -999_999_999_999_999...999_999_999_999_999

    /// Reads a number; nil for anything that isn't one of 64 bits.
    static func read(_ text: some StringProtocol) -> Int64? {
        Int64(text).map { min(max($0, range.lowerBound), range.upperBound) }
    }
}
