/// The form of a request line (RFC 9112 section 3), as far as it is decided before the parser sees it.
enum RequestLine {
    /// The longest method that is waited for; the longest known one has 11 letters.
    private static let methodLimit = 24
    /// `HTTP/1.1` and the blank before it.
    private static let versionCount = 9

    /// What is wrong with a whole line (without its CRLF); nil if nothing is.
    static func fault(in line: UnsafeRawBufferPointer, targetLimit: Int) -> HTTPFault? {
        guard let methodEnd = methodEnd(in: line) else { return .malformedRequestLine }
        var index = methodEnd + 1
        while index < line.count, line[index] != ASCII.space {
            let byte = line[index]
            // Raw bytes beyond ASCII and fragments stand in no target; controls were refused before.
            if byte > 0x7E || byte == 0x23 { return .malformedRequestLine }
            index += 1
        }
        let targetCount = index - methodEnd - 1
        guard targetCount > 0 else { return .malformedRequestLine }
        if targetCount > targetLimit { return .targetTooLong }
        guard line.count - index == versionCount else { return .malformedRequestLine }
        return versionFault(in: line, at: index + 1)
    }

    /// What is wrong with a line whose end hasn't come yet.
    static func fault(inBeginning line: UnsafeRawBufferPointer, targetLimit: Int) -> HTTPFault? {
        guard let methodEnd = methodEnd(in: line) else {
            let isHopeless = line.count > methodLimit || line.contains { !ASCII.isToken($0) }
            return isHopeless ? .malformedRequestLine : nil
        }
        return line.count - methodEnd - 1 > targetLimit + versionCount + 1 ? .targetTooLong : nil
    }

    /// The index of the blank behind the method; nil if what is before it is no method, or there is none.
    private static func methodEnd(in line: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < line.count, index <= methodLimit {
            let byte = line[index]
            if byte == ASCII.space { return index > 0 ? index : nil }
            if !ASCII.isToken(byte) { return nil }
            index += 1
        }
        return nil
    }

    private static func versionFault(in line: UnsafeRawBufferPointer, at start: Int) -> HTTPFault? {
        guard line[start] == 0x48, line[start + 1] == 0x54, line[start + 2] == 0x54, line[start + 3] == 0x50,
            line[start + 4] == 0x2F, ASCII.isDigit(line[start + 5]), line[start + 6] == 0x2E,
            ASCII.isDigit(line[start + 7])
        else { return .malformedRequestLine }
        return line[start + 5] == 0x31 && line[start + 7] <= 0x31 ? nil : .versionNotSupported
    }
}
