/// Reads an event stream from the bytes of its connection: the head, the body's chunks, the events.
///
/// The events by the rules of WHATWG HTML section 9.2.6, independently of the code that writes them. A pure value.
package struct EventStreamReader: Sendable {
    package struct Event: Equatable, Sendable {
        /// `message` where the stream gives none.
        package let name: String
        /// The last event id as it stood when the event came; empty before the first.
        package let id: String
        package let data: String
    }

    package private(set) var status: Int?
    /// Fields of the head, names in lower case.
    package private(set) var fields: [String: String] = [:]
    package private(set) var events: [Event] = []
    package private(set) var comments = 0
    /// Every time that the stream gave for coming back, in milliseconds.
    package private(set) var retries: [Int] = []
    /// Whether the body's last chunk has come.
    package private(set) var isWhole = false
    private var lastID = ""

    /// Reads all that came so far, of which the last event may be unfinished.
    package init(_ bytes: [UInt8]) {
        guard let end = Self.end(of: bytes, [13, 10, 13, 10]) else { return }
        readHead(String(decoding: bytes[..<end], as: UTF8.self))
        let body = Array(bytes[end...])
        let isChunked = fields["transfer-encoding"] == "chunked"
        readEvents(String(decoding: isChunked ? unchunked(body) : body, as: UTF8.self))
    }

    private mutating func readHead(_ head: String) {
        let lines = head.split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count == 2 ? String(parts[1].dropFirst()) : ""
        }
    }

    private mutating func unchunked(_ bytes: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        var rest = bytes[...]
        while let end = Self.end(of: Array(rest.prefix(16)), [13, 10]) {
            let line = String(decoding: rest.prefix(end - 2), as: UTF8.self)
            guard let size = Int(line, radix: 16), rest.count >= end + size + 2 else { break }
            if size == 0 {
                isWhole = true
                break
            }
            body += rest.dropFirst(end).prefix(size)
            rest = rest.dropFirst(end + size + 2)
        }
        return body
    }

    private mutating func readEvents(_ text: String) {
        var (name, data): (String, [String]) = ("", [])
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.isEmpty {
                if !data.isEmpty {
                    events.append(
                        Event(
                            name: name.isEmpty ? "message" : name, id: lastID,
                            data: data.joined(separator: "\n")))
                }
                (name, data) = ("", [])
                continue
            }
            guard line.first != ":" else {
                comments += 1
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count == 2 ? String(parts[1]) : ""
            if value.hasPrefix(" ") { value.removeFirst() }
            switch parts[0] {
            case "event": name = value
            case "data": data.append(value)
            case "id": lastID = value
            case "retry": if let milliseconds = Int(value) { retries.append(milliseconds) }
            default: break
            }
        }
    }

    /// Behind the first place at which `mark` stands.
    private static func end(of bytes: [UInt8], _ mark: [UInt8]) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).first { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
            .map { $0 + mark.count }
    }
}
