/// Refuses what no framing of a chunked body may hold, byte by byte as it comes in.
///
/// Framing is all that isn't data: size lines with their extensions, the CRLF behind data, trailer fields. llhttp reads
/// it, and its strict mode is strict about sizes, extensions and the ends of chunks. But it bounds nothing, and it takes
/// trailers as it takes the lines of a head: an empty line that is a bare LF, folded lines and empty names get through,
/// as does a DEL in quotes. Those are refused here (RFC 9112 sections 2.2, 5.2 and 7.1), as `HeadGuard` does for heads.
struct FramingGuard {
    /// Bytes of framing at most, beyond what plain chunks need.
    private static let limit = 2048
    /// What a chunk needs: up to four digits, CRLF, and the CRLF behind its data.
    private static let plainChunk = 8

    private var count = 0
    private var last = ASCII.lineFeed

    /// Looks at what came behind the last bytes of framing.
    ///
    /// - Returns: false if the body must be refused.
    mutating func admits(_ bytes: UnsafeRawBufferPointer) -> Bool {
        count += bytes.count
        guard count <= Self.limit else { return false }
        for byte in bytes {
            switch byte {
            case ASCII.lineFeed where last != ASCII.carriageReturn: return false
            case ASCII.space, ASCII.tab, 0x3A:
                if last == ASCII.lineFeed { return false }
            case 0x7F: return false
            default: break
            }
            last = byte
        }
        return true
    }

    /// Takes note that a chunk has data, which pays for its framing: bodies in many small chunks are no abuse.
    mutating func beginData() {
        count = max(0, count - Self.plainChunk)
    }
}
