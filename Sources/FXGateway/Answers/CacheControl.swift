import HTTPEngine

/// The one directive of a request's Cache-Control that has a meaning here; the others are advisory (RFC 9111 section
/// 5.2.1) and ignored: a browser's reload must not cost anything.
enum CacheControl {
    /// Whether the client wants what is in memory or nothing (RFC 9111 section 5.2.1.7).
    static func isOnlyIfCached(_ request: HTTPRequest) -> Bool {
        guard let value = request.header(named: "cache-control") else { return false }
        return String(decoding: value, as: UTF8.self).split(separator: ",").contains { directive in
            directive.lowercased().filter { $0 != " " && $0 != "\t" } == "only-if-cached"
        }
    }
}
