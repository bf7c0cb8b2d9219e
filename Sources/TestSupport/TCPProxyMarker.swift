/// Looks for a few bytes in a stream that comes in pieces.
struct TCPProxyMarker {
    private let bytes: [UInt8]
    /// The end of what has come: less than the marker itself.
    private var tail: [UInt8] = []

    /// - Precondition: `bytes` isn't empty.
    init(_ bytes: [UInt8]) {
        precondition(!bytes.isEmpty, "a marker needs bytes")
        self.bytes = bytes
    }

    /// Whether the next piece brings it, or the rest of it.
    mutating func isMet(by piece: ArraySlice<UInt8>) -> Bool {
        let text = tail + piece
        tail = text.suffix(bytes.count - 1)
        return text.firstRange(of: bytes) != nil
    }
}
