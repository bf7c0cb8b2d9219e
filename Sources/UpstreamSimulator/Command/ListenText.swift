import HTTPEngine

/// Whether a text names a place to listen.
enum ListenText {
    static func isValid(_ text: String) -> Bool { (try? SocketAddress(parsing: text)) != nil }
}
