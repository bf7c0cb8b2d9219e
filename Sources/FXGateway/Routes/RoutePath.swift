/// Which route a path is, and the parts of it that vary.
///
/// Split at the slashes first and decoded then, once, so that `%2F` is never a slash and `%2e%2e` never climbs.
struct RoutePath {
    let name: RouteName
    /// The variable parts, decoded.
    let parts: [[UInt8]]

    /// Finds the route of a path as it came.
    ///
    /// - Throws: a 400 for a bad escape; a 404 for no route.
    init(_ path: UnsafeRawBufferPointer) throws(Problem) {
        let segments = try Self.split(path)
        func matches(_ literals: StaticString...) -> Bool {
            guard segments.count >= literals.count else { return false }
            return zip(segments, literals).allSatisfy { Self.equal($0, $1) }
        }
        if matches("v1", "latest"), segments.count <= 3, segments.last?.isEmpty == false {
            (name, parts) = (.latest, Array(segments[2...]))
        } else if matches("v1", "rate"), segments.count == 3 {
            (name, parts) = (.rate, Array(segments[2...]))
        } else if matches("v1", "convert"), segments.count == 5 {
            (name, parts) = (.convert, Array(segments[2...]))
        } else if matches("v1", "convert"), segments.count == 2 {
            (name, parts) = (.convertBatch, [])
        } else if matches("v1", "status"), segments.count == 2 {
            (name, parts) = (.status, [])
        } else if matches("healthz"), segments.count == 1 {
            (name, parts) = (.healthz, [])
        } else if matches("readyz"), segments.count == 1 {
            (name, parts) = (.readyz, [])
        } else if matches("metrics"), segments.count == 1 {
            (name, parts) = (.metrics, [])
        } else if matches("admin", "refresh"), segments.count == 3 {
            (name, parts) = (.adminRefresh, Array(segments[2...]))
        } else {
            throw Problem(.notFound, "There is nothing at \(SafeText.quoted(bytes: path)).")
        }
    }

    private static func split(_ path: UnsafeRawBufferPointer) throws(Problem) -> [[UInt8]] {
        var segments: [[UInt8]] = []
        var start = path.first == UInt8(ascii: "/") ? 1 : 0
        while start <= path.count {
            var end = start
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            let segment = UnsafeRawBufferPointer(rebasing: path[start..<end])
            segments.append(try PercentDecoding.decode(segment, in: "path"))
            start = end + 1
        }
        return segments
    }

    private static func equal(_ segment: [UInt8], _ literal: StaticString) -> Bool {
        segment.elementsEqual(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }
}
