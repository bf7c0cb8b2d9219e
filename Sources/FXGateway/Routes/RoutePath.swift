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
        if Self.isDay(segments) {
            name = .day
            parts = Array(segments.dropFirst())
            return
        }
        guard let pattern = Self.patterns.first(where: { $0.matches(segments) }) else {
            throw Problem(.notFound, "There is nothing at \(SafeText.quoted(bytes: path)).")
        }
        name = pattern.name
        parts = Array(segments.dropFirst(2))
    }

    /// Paths of one form: so many segments, of which the first two are fixed.
    private struct Pattern {
        let count: Int
        let first: StaticString
        let second: StaticString
        let name: RouteName

        init(_ count: Int, _ first: StaticString, _ second: StaticString, _ name: RouteName) {
            self.count = count
            self.first = first
            self.second = second
            self.name = name
        }

        func matches(_ segments: [[UInt8]]) -> Bool {
            segments.count == count && RoutePath.equal(segments[0], first)
                && (count < 2 || RoutePath.equal(segments[1], second))
        }
    }

    private static let patterns = [
        Pattern(3, "v1", "latest", .latest), Pattern(2, "v1", "latest", .latest),
        Pattern(3, "v1", "rate", .rate),
        Pattern(5, "v1", "convert", .convert), Pattern(2, "v1", "convert", .convertBatch),
        Pattern(2, "v1", "range", .range), Pattern(3, "v1", "snapshots", .snapshot),
        Pattern(2, "v1", "currencies", .currencies), Pattern(2, "v1", "account", .account),
        Pattern(2, "v1", "status", .status), Pattern(2, "v1", "sources", .sources),
        Pattern(2, "v1", "quota", .quota), Pattern(2, "v1", "stream", .stream),
        Pattern(2, "v1", "explain", .explain), Pattern(2, "v1", "events", .events),
        Pattern(1, "", "", .dashboard),
        Pattern(4, "admin", "quarantine", .adminQuarantine), Pattern(1, "healthz", "", .healthz),
        Pattern(1, "readyz", "", .readyz),
        Pattern(1, "metrics", "", .metrics), Pattern(1, "openapi.json", "", .openapi),
        Pattern(3, "admin", "refresh", .adminRefresh),
        Pattern(2, "admin", "cooldown", .adminCooldown), Pattern(2, "admin", "cache", .adminCache),
    ]

    /// `/v1/{date}` and `/v1/{date}/{base}`: whatever begins with a digit is meant as a date.
    private static func isDay(_ segments: [[UInt8]]) -> Bool {
        (2...3).contains(segments.count) && equal(segments[0], "v1")
            && segments[1].first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
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
