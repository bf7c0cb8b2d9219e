/// How long clients are asked to wait before they come back, in milliseconds: spread, so that they don't come at once.
enum StreamRetry {
    /// After a connection that broke: one from this range for each stream.
    static let usual = 2_000...4_000
    /// After an end that was told, many at the same moment: these in turn.
    static let afterEnd = Array(stride(from: 500, to: 4_500, by: 250))
}
