/// Finds the end of a request head and refuses what no head may hold, byte by byte as it comes in.
///
/// It stands in front of the parser, which sees only whole heads whose lines all end with CRLF, which hold no control
/// byte but HT, no folded line, no empty name, and whose request line has exactly two blanks (RFC 9112 sections 2.2, 3
/// and 5). llhttp's strict mode lets a bare LF end a head, folded lines and empty names through, and bounds neither a
/// head's bytes nor its fields. One state per head; each byte is looked at once, however small the pieces are.
struct HeadGuard {
    /// What is known after looking at all bytes there are.
    enum Verdict: Equatable {
        /// More bytes are needed.
        case incomplete
        /// The head is the bytes from `start` up to `end`; what is before it were empty lines.
        case complete(start: Int, end: Int)
        case refused(HTTPFault)
    }

    struct Limits {
        var head: Int
        var fields: Int
        var target: Int
    }

    /// Empty lines in front of a request line that are passed over (RFC 9112 section 2.2 asks for at least one).
    private static let emptyLineLimit = 4

    private var scanned: Int32 = 0
    private var lineStart: Int32 = 0
    private var headStart: Int32 = 0
    private var lines: Int16 = 0
    private var emptyLines: Int16 = 0

    /// Looks at what came since the last call.
    ///
    /// `bytes` are all of this head so far, from its first byte on.
    mutating func check(_ bytes: UnsafeRawBufferPointer, limits: Limits) -> Verdict {
        guard let base = bytes.baseAddress else { return .incomplete }
        var index = Int(scanned)
        while true {
            // What is beyond the limit decides nothing, and what came first decides: so the fault is the same however the
            // bytes are cut.
            let end = min(bytes.count, Int(headStart) + limits.head)
            index = Self.nextControl(base, from: index, to: end)
            guard index < end else { break }
            let byte = base.load(fromByteOffset: index, as: UInt8.self)
            if byte == ASCII.carriageReturn {
                guard index + 1 < end else { break }
                guard base.load(fromByteOffset: index + 1, as: UInt8.self) == ASCII.lineFeed else {
                    return .refused(lineFault(base, at: index, limits: limits))
                }
                if let verdict = endLine(base, at: index, limits: limits) { return verdict }
                index += 2
            } else if byte == ASCII.tab, lines > 0, index > Int(lineStart) {
                index += 1
            } else {
                return .refused(lineFault(base, at: index, limits: limits))
            }
        }
        scanned = Int32(index)
        return tooLong(base, count: bytes.count, limits: limits) ?? .incomplete
    }

    /// Whether nothing but empty lines came: no head has begun.
    func holdsOnlyEmptyLines(of count: Int) -> Bool { lines == 0 && Int(headStart) == count }

    /// Forgets the bytes of empty lines that were taken; that there were some still counts.
    mutating func dropEmptyLines() {
        scanned = 0
        lineStart = 0
        headStart = 0
    }

    /// The fault of a line with a byte in it that no line may hold.
    private func lineFault(_ base: UnsafeRawPointer, at index: Int, limits: Limits) -> HTTPFault {
        guard lines == 0 else { return .malformedField }
        return beginningFault(base, before: index, limits: limits) ?? .malformedRequestLine
    }

    /// What is wrong with a request line whose end hasn't come, whatever may come.
    private func beginningFault(_ base: UnsafeRawPointer, before end: Int, limits: Limits) -> HTTPFault? {
        let line = UnsafeRawBufferPointer(start: base + Int(headStart), count: end - Int(headStart))
        return RequestLine.fault(inBeginning: line, targetLimit: limits.target)
    }

    /// Takes the line that ends at `end`; a verdict if the head ends with it, or must be refused.
    private mutating func endLine(_ base: UnsafeRawPointer, at end: Int, limits: Limits) -> Verdict? {
        let start = Int(lineStart)
        defer { lineStart = Int32(end + 2) }
        if lines == 0 {
            if start == end {
                guard emptyLines < Self.emptyLineLimit else { return .refused(.malformedRequestLine) }
                emptyLines += 1
                headStart = Int32(end + 2)
                return nil
            }
            let line = UnsafeRawBufferPointer(start: base + start, count: end - start)
            if let fault = RequestLine.fault(in: line, targetLimit: limits.target) { return .refused(fault) }
            lines = 1
            return nil
        }
        if start == end {
            return .complete(start: Int(headStart), end: end + 2)
        }
        switch base.load(fromByteOffset: start, as: UInt8.self) {
        case ASCII.space, ASCII.tab, 0x3A: return .refused(.malformedField)
        default: break
        }
        guard Int(lines) <= limits.fields else { return .refused(.tooManyFields) }
        lines += 1
        return nil
    }

    /// Refuses an unfinished head as soon as it can't become a good one.
    private func tooLong(_ base: UnsafeRawPointer, count: Int, limits: Limits) -> Verdict? {
        let length = count - Int(headStart)
        if lines == 0 {
            // Without the CR whose LF hasn't come.
            if let fault = beginningFault(base, before: Int(scanned), limits: limits) {
                return .refused(fault)
            }
        }
        return length >= limits.head ? .refused(.headTooLarge) : nil
    }

    /// The index of the first control byte (below 0x20, or 0x7F) at or after `from`; `end` if there is none.
    @inline(__always)
    private static func nextControl(_ base: UnsafeRawPointer, from: Int, to end: Int) -> Int {
        let high: UInt64 = 0x8080_8080_8080_8080
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = from
        while index &+ 8 <= end {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // Each test is exact for its first hit; a carry can only make later bytes look like hits.
            let low = (word &- ones &* 0x20) & ~word & high
            let delete = word ^ (ones &* 0x7F)
            let found = low | ((delete &- ones) & ~delete & high)
            if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < end {
            let byte = base.load(fromByteOffset: index, as: UInt8.self)
            if byte < 0x20 || byte == 0x7F { return index }
            index &+= 1
        }
        return end
    }
}
