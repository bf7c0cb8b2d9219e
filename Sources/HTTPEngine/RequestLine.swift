/// The form of a request line (RFC 9112 section 3), as far as it is decided before the parser sees it.
///
/// The parser checks targets and version numbers, but llhttp's strict mode still takes several blanks where one belongs,
/// a line without a version, fragments, and the protocols ICE and RTSP. It bounds no target, and it calls whatever is no
/// known method by one name, be it a token or not. And it would wait for the head's end: what can't become a request
/// line, such as a TLS greeting, is refused at once.
enum RequestLine {
    /// The longest method that is waited for; the longest known one has 11 letters.
    private static let methodLimit = 24
    /// `HTTP/1.1` and the blank before it.
    private static let versionCount = 9

    /// What is wrong with a whole line (without its CRLF); nil if nothing is.
    static func fault(in line: UnsafeRawBufferPointer, targetLimit: Int) -> HTTPFault? {
        guard let methodEnd = methodEnd(in: line) else { return .malformedRequestLine }
        // Before all else, as of a line whose end hasn't come: how it is cut must make no difference.
        if isTooLong(line.count - methodEnd - 1, targetLimit) { return .targetTooLong }
        var index = methodEnd + 1
        while index < line.count, line[index] != ASCII.space {
            if line[index] == 0x23 { return .malformedRequestLine }
            index += 1
        }
        let targetCount = index - methodEnd - 1
        guard targetCount > 0 else { return .malformedRequestLine }
        if targetCount > targetLimit { return .targetTooLong }
        guard line.count - index == versionCount, isHTTP(line, at: index + 1) else {
            return .malformedRequestLine
        }
        return nil
    }

    /// What is wrong with a line whose end hasn't come yet.
    static func fault(inBeginning line: UnsafeRawBufferPointer, targetLimit: Int) -> HTTPFault? {
        guard let methodEnd = methodEnd(in: line) else {
            let isHopeless = line.count > methodLimit || line.contains { !ASCII.isToken($0) }
            return isHopeless ? .malformedRequestLine : nil
        }
        return isTooLong(line.count - methodEnd - 1, targetLimit) ? .targetTooLong : nil
    }

    /// Whether so many bytes behind the method's blank are more than the longest target and a version.
    @inline(__always)
    private static func isTooLong(_ count: Int, _ targetLimit: Int) -> Bool {
        count > targetLimit + versionCount + 1
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

    private static func isHTTP(_ line: UnsafeRawBufferPointer, at start: Int) -> Bool {
        line[start] == 0x48 && line[start + 1] == 0x54 && line[start + 2] == 0x54 && line[start + 3] == 0x50
            && line[start + 4] == 0x2F
    }
}
