import HTTPEngine

/// A request's place in a trace, as its `traceparent` field has it (W3C Trace Context, section 3.2).
struct TraceParent: Equatable, Sendable {
    /// Version, trace id, parent id and flags, in lower-case hexadecimal digits.
    let text: String

    /// Version, trace id, parent id, flags and three hyphens.
    private static let length = 55
    private static let hyphens: Set = [2, 35, 52]

    /// Nil where the request has none, more than one, or one that the recommendation says to ignore.
    init?(_ request: HTTPRequest) {
        guard let value = request.header(named: "traceparent"), request.headerCount(named: "traceparent") == 1
        else { return nil }
        self.init(bytes: value)
    }

    /// Reads a field's value; of a later version the part that is known.
    init?(bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(Self.length))
        guard head.count == Self.length, head.indices.allSatisfy({ Self.isGood(head[$0], at: $0) }) else {
            return nil
        }
        let next = bytes.dropFirst(Self.length).first
        let isFirstVersion = head[..<2].elementsEqual("00".utf8)
        guard isFirstVersion ? next == nil : next == nil || next == UInt8(ascii: "-") else { return nil }
        let isZero = { (part: Range<Int>) in head[part].allSatisfy { $0 == UInt8(ascii: "0") } }
        guard !head[..<2].elementsEqual("ff".utf8), !isZero(3..<35), !isZero(36..<52) else { return nil }
        text = String(decoding: head, as: UTF8.self)
    }

    private static func isGood(_ byte: UInt8, at place: Int) -> Bool {
        if hyphens.contains(place) { return byte == UInt8(ascii: "-") }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
