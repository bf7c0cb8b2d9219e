/// A gateway's answer to a command: its status and body.
struct GatewayReply: Equatable, Sendable {
    let status: Int
    /// The status with its reason, as it came.
    let statusText: String
    let body: [UInt8]

    /// Reads an answer that ended with its connection; nil if its head isn't whole HTTP/1.1, or its body shorter than it says.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let line = head.prefix { $0 != "\r\n" }
        guard line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)) else { return nil }
        let body = bytes[end.upperBound...]
        let lengths = head.split(separator: "\r\n").compactMap { line -> Int? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
            return Int(parts[1].drop { $0 == " " })
        }
        guard lengths.allSatisfy({ body.count >= $0 }) else { return nil }
        self.status = status
        statusText = String(line.dropFirst(9))
        self.body = Array(body)
    }
}
