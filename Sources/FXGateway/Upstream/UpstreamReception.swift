/// What of an answer has come so far: the head line by line, then the body.
///
/// Touched by its call's thread alone.
final class UpstreamReception {
    /// The longest head of all answers of a call together, interim ones included.
    private static let headLimit = 64 << 10

    private let bodyLimit: Int
    private var headBytes = 0
    private var status = 0
    private var isHeadComplete = false
    private var fields: [String: String] = [:]
    private var body: [UInt8] = []
    /// Whether a limit was passed: the call ends there.
    private(set) var isTooLarge = false

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// The answer, if all of its head has come; libcurl takes an end within the head for the end of an answer.
    var answer: UpstreamAnswer? {
        guard isHeadComplete, status >= 200 else { return nil }
        return UpstreamAnswer(status: status, body: body, fields: fields)
    }

    /// An answer whose status refuses, with as much of its body as has come: what it asks for stands in its head.
    var refusal: UpstreamAnswer? { answer.flatMap { $0.status >= 400 ? $0 : nil } }

    /// Takes one line of a head with its end; false if there has been too much.
    func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.headLimit else {
            isTooLarge = true
            return false
        }
        let text = String(decoding: line, as: UTF8.self).trimmingLineEnd()
        if text.hasPrefix("HTTP/") {
            begin(text)
        } else if text.isEmpty {
            isHeadComplete = true
            // A body that says it will be too long needn't come.
            isTooLarge = fields["content-length"].flatMap { Int($0) }.map { $0 > bodyLimit } ?? false
            return !isTooLarge
        } else if !isHeadComplete, let colon = text.firstIndex(of: ":") {
            // After the head come a chunked body's trailers, which speak of nothing that is asked for.
            add(text[..<colon].lowercased(), text[text.index(after: colon)...].trimmingBlanks())
        }
        return true
    }

    /// Takes a piece of the body; false if there has been too much.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= bodyLimit - body.count else {
            isTooLarge = true
            return false
        }
        body += bytes
        return true
    }

    /// A head after an interim answer's (1xx) replaces it.
    private func begin(_ line: String) {
        status = line.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
        isHeadComplete = false
        fields = [:]
    }

    private func add(_ name: String, _ value: String) {
        fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    }
}

extension StringProtocol {
    fileprivate func trimmingLineEnd() -> String {
        var text = String(self)
        while let last = text.unicodeScalars.last, last == "\r" || last == "\n" {
            text.unicodeScalars.removeLast()
        }
        return text
    }

    fileprivate func trimmingBlanks() -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(String(drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
    }
}
