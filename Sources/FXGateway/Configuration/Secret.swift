/// A text that must never be shown: a key, a password, a token.
///
/// Interpolating, printing or dumping one gives `(secret)`; only `reveal` gives the text.
struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The text itself: for the one place that sends or compares it.
    func reveal() -> String { text }

    var description: String { "(secret)" }
    var debugDescription: String { "(secret)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
