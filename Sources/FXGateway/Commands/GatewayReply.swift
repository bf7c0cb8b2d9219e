/// A gateway's answer to a command: its status and body.
struct GatewayReply: Equatable, Sendable {
    let status: Int
    /// The status with its reason, as it came.
    let statusText: String
    let body: [UInt8]

    /// Reads an answer that ended with its connection; nil if there is no whole head of HTTP/1.1.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let line = head.prefix { $0 != "\r\n" }
        guard line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)) else { return nil }
        self.status = status
        statusText = String(line.dropFirst(9))
        body = Array(bytes[end.upperBound...])
    }
}
