/// A time as upstream wrote it, with the instant it means.
///
/// The text is passed on unchanged; the instant is what decisions use.
package struct Timestamp: Hashable, Sendable {
    /// The text as it came, for example `2026-06-16T14:01:51Z`.
    package let text: String
    package let instant: UnixMilliseconds

    package init(text: String, instant: UnixMilliseconds) {
        self.text = text
        self.instant = instant
    }
}
