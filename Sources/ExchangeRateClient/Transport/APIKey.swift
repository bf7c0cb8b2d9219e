/// The secret of an API account, checked once and shown nowhere.
///
/// Upstream refuses keys that were pasted with a newline or quoted by a shell, and URLSession drops a header
/// that holds one without a word, so such a key would silently make the caller anonymous. It is refused here.
struct APIKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let text: String

    /// Accepts one or more visible ASCII characters; nil for everything else, the empty text included.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }

    /// The value of the `Authorization` field.
    var authorization: String { "Bearer \(text)" }

    var description: String { "APIKey(hidden)" }

    var customMirror: Mirror { Mirror(self, children: []) }
}
