/// Takes answers apart, strictly: for tests that look at what a server sends.
enum AnswerParser {
    /// The answer that begins at `start`, and where the next one begins; nil while it isn't whole.
    ///
    /// `isEnded` tells that no more bytes come, which ends a body without a length.
    static func parse(
        _ bytes: [UInt8], from start: Int, toHEAD: Bool, isEnded: Bool
    ) throws(RawHTTPClient.Failure) -> (RawHTTPClient.Answer, next: Int)? {
        guard let headEnd = find("\r\n\r\n", in: bytes, from: start) else { return nil }
        let lines = String(decoding: bytes[start..<headEnd], as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        let line = lines[0]
        guard line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)),
            line.utf8.dropFirst(12).first == 0x20
        else { throw .malformed(String(line)) }
        var answer = RawHTTPClient.Answer(status: status, fields: [], body: [])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed(String(line)) }
            let value = line[line.index(after: colon)...]
            guard value.first == " " else { throw .malformed(String(line)) }
            answer.fields.append((line[..<colon].lowercased(), String(value.dropFirst())))
        }
        let bodyStart = headEnd + 4
        if toHEAD || status < 200 || status == 204 || status == 304 { return (answer, bodyStart) }
        if let length = answer.field("content-length") {
            guard let count = Int(length), count >= 0 else { throw .malformed("Content-Length: \(length)") }
            guard bytes.count - bodyStart >= count else { return nil }
            answer.body = Array(bytes[bodyStart..<(bodyStart + count)])
            return (answer, bodyStart + count)
        }
        if answer.field("transfer-encoding") == "chunked" {
            guard let (body, next) = try chunks(bytes, from: bodyStart) else { return nil }
            answer.body = body
            return (answer, next)
        }
        guard isEnded else { return nil }
        answer.body = Array(bytes[bodyStart...])
        return (answer, bytes.count)
    }

    private static func chunks(
        _ bytes: [UInt8], from start: Int
    ) throws(RawHTTPClient.Failure) -> (body: [UInt8], next: Int)? {
        var body: [UInt8] = []
        var index = start
        while true {
            guard let end = find("\r\n", in: bytes, from: index) else { return nil }
            let text = String(decoding: bytes[index..<end], as: UTF8.self)
            guard let size = Int(text, radix: 16) else { throw .malformed("chunk size \(text)") }
            index = end + 2
            guard bytes.count >= index + size + 2 else { return nil }
            body += bytes[index..<(index + size)]
            guard bytes[index + size] == 13, bytes[index + size + 1] == 10 else {
                throw .malformed("chunk end")
            }
            index += size + 2
            if size == 0 { return (body, index) }
        }
    }

    private static func find(_ text: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
        let count = text.utf8CodeUnitCount
        var index = start
        while index + count <= bytes.count {
            if (0..<count).allSatisfy({ bytes[index + $0] == text.utf8Start[$0] }) { return index }
            index += 1
        }
        return nil
    }
}
