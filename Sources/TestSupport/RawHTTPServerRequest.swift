/// A request as a raw server read it.
///
/// Bytes that can't begin an HTTP request, such as a TLS hello, are given as a request with an empty head.
package struct RawHTTPServerRequest: Sendable {
    /// The request line and header fields as they came, without the empty line.
    package let head: String
    /// The body, as long as `Content-Length` says.
    package let body: [UInt8]
    /// Which connection it came on, counted from 0 in the order of acceptance.
    package let connection: Int

    /// The first line, such as `GET /v1/latest/USD HTTP/1.1`.
    package var line: String { lines.first.map(String.init) ?? "" }

    /// The value of a header field, its name in any letter case; nil if it was not sent.
    package func field(_ name: String) -> String? {
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return String(parts[1].drop { $0 == " " })
        }
        return nil
    }

    private var lines: [Substring] { head.split(separator: "\r\n", omittingEmptySubsequences: true) }
}
