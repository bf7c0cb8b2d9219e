/// A part of streams' bodies, framed once for all streams that get it.
///
/// Immutable; safe from any thread.
package final class StreamPiece: Sendable {
    /// As a chunk (RFC 9112 section 7.1): the size's line, the bytes, CRLF.
    private let chunk: [UInt8]
    private let bytes: Range<Int>

    /// - Parameter bytes: at least one: a chunk without any would end its body.
    package init(_ bytes: some Collection<UInt8>) {
        precondition(!bytes.isEmpty, "a piece has at least one byte")
        let size = Array(String(bytes.count, radix: 16).utf8)
        let start = size.count + 2
        var chunk: [UInt8] = []
        chunk.reserveCapacity(start + bytes.count + 2)
        chunk += size
        chunk += Self.lineEnd
        chunk += bytes
        chunk += Self.lineEnd
        self.chunk = chunk
        self.bytes = start..<start + bytes.count
    }

    /// Without its framing.
    package var count: Int { bytes.count }

    /// Lends the bytes as they go out on a stream.
    func withBytes<Result>(
        in framing: ResponseWriter.Framing, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        chunk.withUnsafeBytes { chunk in
            switch framing {
            case .chunked: body(chunk)
            case .untilClose: body(UnsafeRawBufferPointer(rebasing: chunk[bytes]))
            }
        }
    }

    private static let lineEnd = Array("\r\n".utf8)
}
