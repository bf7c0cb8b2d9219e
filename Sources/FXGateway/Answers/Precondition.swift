import CacheLayer
import HTTPEngine

/// What a GET or HEAD says of the answer that its client holds already (RFC 9110 section 13).
enum Precondition {
    /// Whether 304 is the answer, where a 200 would have this tag and this time in seconds.
    ///
    /// If-None-Match goes first; If-Modified-Since counts only without it, only once, in any of the three forms of a date.
    /// `wall` is asked for the century of one of them alone. Without a time (`lastModified` nil) only a tag can tell.
    @inline(__always)
    static func isNotModified(
        _ request: HTTPRequest, etag: [UInt8], lastModified: Int64?, wall: () -> UnixMilliseconds
    ) -> Bool {
        if request.method == .post { return false }
        if let isNamed = named(request, etag) { return isNamed }
        guard let lastModified, let text = request.header(named: "if-modified-since"),
            request.headerCount(named: "if-modified-since") == 1,
            let since = HTTPDate.instant(of: text, now: wall())
        else { return false }
        return lastModified <= since.value.flooredSeconds
    }

    /// The same where there is nothing but the tag to go by.
    static func isNamed(_ request: HTTPRequest, _ etag: [UInt8]) -> Bool { named(request, etag) ?? false }

    /// Whether If-None-Match names the tag; nil without that field.
    @inline(__always)
    private static func named(_ request: HTTPRequest, _ etag: [UInt8]) -> Bool? {
        guard let tags = request.header(named: "if-none-match") else { return nil }
        return EntityTag.matches(tags, etag) || isNamedFurther(request, etag)
    }

    /// A list may come in several fields (RFC 9110 section 5.3).
    private static func isNamedFurther(_ request: HTTPRequest, _ etag: [UInt8]) -> Bool {
        guard request.headerCount(named: "if-none-match") > 1 else { return false }
        for index in 0..<request.fieldCount {
            let (name, value) = request.field(at: index)
            guard String(decoding: name, as: UTF8.self).lowercased() == "if-none-match" else { continue }
            if EntityTag.matches(value, etag) { return true }
        }
        return false
    }
}
