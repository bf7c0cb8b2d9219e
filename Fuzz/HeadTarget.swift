@testable import HTTPEngine

/// What a client sends: heads and bodies, as many as there are.
enum HeadTarget {
    static func run(_ bytes: [UInt8]) {
        let whole = WireReader.outcomes(of: [bytes[...]])
        for outcome in whole {
            guard case .taken(let message) = outcome else { continue }
            claimIsWhole(message)
        }
        // Longer ones cost the square of their length.
        guard bytes.count <= 300 else { return claimIsSame(whole, bytes, at: bytes.count / 2) }
        for cut in bytes.indices.dropFirst() { claimIsSame(whole, bytes, at: cut) }
        let single = WireReader.outcomes(of: bytes.indices.map { bytes[$0..<($0 + 1)] })
        claim(single == whole, "byte by byte \(single), in one piece \(whole)")
    }

    private static func claimIsSame(_ whole: [WireReader.Outcome], _ bytes: [UInt8], at cut: Int) {
        guard cut > 0 else { return }
        let cutUp = WireReader.outcomes(of: [bytes[..<cut], bytes[cut...]])
        claim(cutUp == whole, "cut at \(cut) \(cutUp), in one piece \(whole)")
    }

    /// The head says what its own lines say, and nothing in it could be read otherwise by somebody else.
    private static func claimIsWhole(_ message: WireReader.Message) {
        let text = Parts.text(message.head)
        claim(text.hasSuffix("\r\n\r\n"), "a head ends with an empty line")
        claim(message.head.count <= WireReader.limits.head, "a head of \(message.head.count) bytes was taken")
        let lines = message.head.dropLast(4).split(separator: 13, omittingEmptySubsequences: false)
            .enumerated().map { $0 == 0 ? Array($1) : Array($1.dropFirst()) }
        claim(
            lines.allSatisfy { $0.allSatisfy { ($0 >= 0x20 || $0 == 9) && $0 != 0x7F } },
            "a control byte was taken: \(text.debugDescription)")
        let first = lines[0].split(separator: 0x20, omittingEmptySubsequences: false)
        claim(first.count == 3, "a request line of \(first.count) parts was taken")
        claim(Array(first[1]) == message.target, "the target isn't that of the line")
        claim(message.target.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x23 }, "a target of odd bytes")
        claim(message.path.first == 0x2F || message.path == [0x2A], "the path is \(message.path)")
        claim(
            Parts.text(Array(first[2])) == (message.isHTTP10 ? "HTTP/1.0" : "HTTP/1.1"), "another version")
        claim(lines.count - 1 == message.fields.count, "\(message.fields.count) fields of \(lines.count - 1)")
        for (line, field) in zip(lines.dropFirst(), message.fields) {
            guard let colon = line.firstIndex(of: 0x3A) else { fatalError("a line without a colon") }
            claim(Array(line[..<colon]) == field.name, "a field's name isn't that of its line")
            claim(!field.name.isEmpty && field.name.allSatisfy(ASCII.isToken), "a name that is no token")
            let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 9 }
            let isSame = trimmed(Array(value)) == field.value
            claim(isSame, "a field's value is \(field.value), not \(Array(value))")
        }
        let hosts = message.fields.count { Parts.text($0.name).lowercased() == "host" }
        claim(hosts == 1 || hosts == 0 && message.isHTTP10, "\(hosts) hosts")
        claimBody(message)
    }

    private static func trimmed(_ value: [UInt8]) -> [UInt8] {
        var value = value
        while let last = value.last, last == 0x20 || last == 9 { value.removeLast() }
        return value
    }

    /// The body is what a second reading of its bytes makes of it.
    private static func claimBody(_ message: WireReader.Message) {
        claim(message.body.count <= WireReader.bodyLimit, "a body of \(message.body.count) bytes was taken")
        let lengths = message.fields.filter { Parts.text($0.name).lowercased() == "content-length" }
        if message.isChunked {
            claim(lengths.isEmpty, "chunks and a length at once")
            let decoded = Chunks.decoded(message.rawBody)
            claim(decoded == message.body, "chunks \(message.rawBody) became \(message.body)")
        } else {
            let length = lengths.first.flatMap { Int(Parts.text($0.value)) } ?? 0
            claim(message.body.count == length, "a body of \(message.body.count) bytes, announced \(length)")
            claim(message.rawBody == message.body, "a counted body isn't what came")
        }
    }
}
