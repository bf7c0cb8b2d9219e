/// Reads an event stream by the rules of WHATWG HTML, section 9.2.6, from pieces of any size.
///
/// A pure value. Events over the limit end it: what comes from outside is never gathered without end.
struct EventStreamParser {
    enum Step: Equatable {
        case event(ServerSentEvent)
        case comment
        /// How long to wait before coming back, in milliseconds.
        case retry(Int)
        /// The event is longer than the limit; nothing can be read from here on.
        case tooLong
    }

    private let limit: Int
    private var line: [UInt8] = []
    private var name = ""
    private var data: [String] = []
    private var dataBytes = 0
    private var id: String
    private var isAfterReturn = false
    private var isAtStart = true
    private var isDead = false

    /// A parser for one connection; `lastID` is what it was opened with, `limit` bytes of the longest event.
    init(limit: Int, lastID: String = "") {
        self.limit = limit
        id = lastID
    }

    /// Takes the next piece and gives what is complete with it.
    mutating func read(_ piece: some Sequence<UInt8>) -> [Step] {
        var steps: [Step] = []
        for byte in piece where !isDead {
            // A line ends with CR LF, LF or CR.
            if isAfterReturn {
                isAfterReturn = false
                if byte == 10 { continue }
            }
            if byte == 10 || byte == 13 {
                isAfterReturn = byte == 13
                endLine(&steps)
            } else {
                line.append(byte)
                if line.count + dataBytes > limit {
                    isDead = true
                    line = []
                    data = []
                    steps.append(.tooLong)
                }
            }
        }
        return steps
    }

    private mutating func endLine(_ steps: inout [Step]) {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard let first = line.first else { return endEvent(&steps) }
        guard first != UInt8(ascii: ":") else { return steps.append(.comment) }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
        case "event": name = text
        case "data":
            data.append(text)
            dataBytes += value.count + 1
        case "id": if !value.contains(0) { id = text }
        case "retry": if let number = CivilTime.number(value) { steps.append(.retry(number)) }
        default: break
        }
    }

    private mutating func endEvent(_ steps: inout [Step]) {
        if !data.isEmpty {
            steps.append(
                .event(
                    ServerSentEvent(
                        name: name.isEmpty ? "message" : name, id: id, data: data.joined(separator: "\n"))))
        }
        name = ""
        data = []
        dataBytes = 0
    }
}
