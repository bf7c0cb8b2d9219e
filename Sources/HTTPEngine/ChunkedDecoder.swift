/// Takes the chunked transfer coding off a body (RFC 9112 section 7.1), in pieces of any size.
///
/// Stricter than it must be: no blank around a chunk's size, no bare CR or LF anywhere, and what isn't data (extensions
/// and trailer fields, which are dropped) is bounded, since nothing else would bound it.
struct ChunkedDecoder {
    enum Progress: Equatable {
        /// More bytes are needed; all were taken.
        case incomplete
        /// The body's end was found; the number of bytes taken.
        case complete(taken: Int)
        case refused(HTTPFault)
    }

    private enum State {
        /// Expects a digit of the chunk's size; the number of those that came. To `extension`, `sizeEnd`.
        case size(digits: Int)
        /// Passes over an extension. To `sizeEnd` at CR.
        case `extension`
        /// Expects the LF behind a size. To `data`, or to `trailerStart` behind the last chunk.
        case sizeEnd
        /// Takes data. To `dataReturn` when the chunk is whole.
        case data
        /// Expects the CR behind data. To `dataEnd`.
        case dataReturn
        /// Expects the LF behind data. To `size`.
        case dataEnd
        /// Expects a trailer field's first byte, or the CR of the end. To `trailerName`, `end`.
        case trailerStart
        /// Passes over a trailer field's name. To `trailerValue` at the colon.
        case trailerName
        /// Passes over a trailer field's value. To `trailerEnd` at CR.
        case trailerValue
        /// Expects the LF behind a trailer field. To `trailerStart`.
        case trailerEnd
        /// Expects the last LF.
        case end
    }

    /// Bytes of extensions and trailer fields together.
    private static let overheadLimit = 2048
    /// A size has at most as many digits as 64 bits hold; leading zeros count.
    private static let digitLimit = 16

    private let limit: UInt64
    private var state = State.size(digits: 0)
    /// What is left of the current chunk.
    private var remaining: UInt64 = 0
    private var total: UInt64 = 0
    private var overhead = 0

    /// - Parameter limit: bytes of data; more is `.bodyTooLarge`, told as soon as a chunk announces it.
    init(limit: Int) {
        self.limit = UInt64(limit)
    }

    /// Takes `bytes` and hands the data in them to `sink`.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Void
    ) -> Progress {
        var index = 0
        while index < bytes.count {
            if case .data = state {
                let count = Int(min(remaining, UInt64(bytes.count - index)))
                sink(UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)]))
                index += count
                remaining -= UInt64(count)
                if remaining == 0 { state = .dataReturn }
                continue
            }
            let byte = bytes[index]
            index += 1
            if case .end = state {
                return byte == ASCII.lineFeed ? .complete(taken: index) : .refused(.malformedBody)
            }
            if let fault = step(byte) { return .refused(fault) }
        }
        return .incomplete
    }

    private mutating func step(_ byte: UInt8) -> HTTPFault? {
        switch state {
        case .size(let digits): return takeSize(byte, digits: digits)
        case .extension: return pass(byte, endsTo: .sizeEnd)
        case .sizeEnd:
            guard byte == ASCII.lineFeed else { return .malformedBody }
            state = remaining == 0 ? .trailerStart : .data
        case .dataReturn:
            guard byte == ASCII.carriageReturn else { return .malformedBody }
            state = .dataEnd
        case .dataEnd:
            guard byte == ASCII.lineFeed else { return .malformedBody }
            state = .size(digits: 0)
        case .trailerStart:
            guard byte == ASCII.carriageReturn else {
                guard ASCII.isToken(byte) else { return .malformedBody }
                state = .trailerName
                return count()
            }
            state = .end
        case .trailerName:
            if byte == 0x3A {
                state = .trailerValue
            } else if !ASCII.isToken(byte) {
                return .malformedBody
            }
            return count()
        case .trailerValue: return pass(byte, endsTo: .trailerEnd)
        case .trailerEnd:
            guard byte == ASCII.lineFeed else { return .malformedBody }
            state = .trailerStart
        case .data, .end: preconditionFailure("handled by the caller")
        }
        return nil
    }

    private mutating func takeSize(_ byte: UInt8, digits: Int) -> HTTPFault? {
        if let digit = ASCII.hexadecimal(byte) {
            guard digits < Self.digitLimit else { return .malformedBody }
            remaining = remaining << 4 | digit
            state = .size(digits: digits + 1)
            return nil
        }
        guard digits > 0 else { return .malformedBody }
        guard remaining <= limit - total else { return .bodyTooLarge }
        total += remaining
        switch byte {
        case ASCII.carriageReturn: state = .sizeEnd
        case 0x3B: state = .extension
        default: return .malformedBody
        }
        return nil
    }

    /// Passes over text that ends with a CR.
    private mutating func pass(_ byte: UInt8, endsTo next: State) -> HTTPFault? {
        if byte == ASCII.carriageReturn {
            state = next
            return nil
        }
        guard (byte >= 0x20 && byte != 0x7F) || byte == ASCII.tab else { return .malformedBody }
        return count()
    }

    private mutating func count() -> HTTPFault? {
        overhead += 1
        return overhead <= Self.overheadLimit ? nil : .malformedBody
    }
}
