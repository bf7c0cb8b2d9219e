import Foundation

/// Where requests go: scheme, authority and path prefix, with what may follow them.
struct RequestTarget: Sendable {
    private let prefix: String

    /// Accepts an http or https URL with a host; nil with user information, query or fragment.
    ///
    /// A path is kept in front of `/v1`, for gateways that live below one; a trailing slash is dropped.
    init?(baseURL: URL) {
        guard let parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        var text = baseURL.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        prefix = text
    }

    /// The URL of a request; nil unless `path` is an encoded path below `/v1/`.
    ///
    /// Query names and values are percent-encoded; a comma stays, as upstream writes lists with it.
    func url(path: String, query: [(String, String)]) -> URL? {
        guard Self.isEncodedPath(path) else { return nil }
        var text = prefix + path
        for (index, pair) in query.enumerated() {
            text += (index == 0 ? "?" : "&") + Self.encode(pair.0) + "=" + Self.encode(pair.1)
        }
        return URL(string: text, encodingInvalidCharacters: false)
    }

    /// RFC 3986 §3.3 without `?`, `#` and dot segments, which libcurl would resolve out of `/v1/`.
    private static func isEncodedPath(_ path: String) -> Bool {
        guard path.hasPrefix("/v1/") else { return false }
        let marks = Set("-._~!$&'()*+,;=:@/%".utf8)
        guard path.utf8.allSatisfy({ isAlphanumeric($0) || marks.contains($0) }) else { return false }
        let segments = path.split(separator: "/")
        return !segments.contains(".") && !segments.contains("..")
    }

    private static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        let hex = Array("0123456789ABCDEF".utf8)
        let plain = Set("-._~,".utf8)
        for byte in text.utf8 {
            if isAlphanumeric(byte) || plain.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}
