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
    /// Why the call ends before its answer does: a limit was passed, or nobody can tell where the answer ends.
    private(set) var fault: UpstreamError?

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// The answer, if all of its head has come; libcurl takes an end within the head for the end of an answer.
    var answer: UpstreamAnswer? {
        guard isHeadComplete, status >= 200, fault != .notHTTP else { return nil }
        return UpstreamAnswer(status: status, body: body, fields: fields)
    }

    /// An answer whose status refuses, with as much of its body as has come: what it asks for stands in its head.
    var refusal: UpstreamAnswer? { answer.flatMap { $0.status >= 400 ? $0 : nil } }

    /// Takes one line of a head with its end; false if there has been too much.
    func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.headLimit else { return end(.tooLarge) }
        let text = String(decoding: line, as: UTF8.self).trimmingLineEnd()
        if text.hasPrefix("HTTP/") {
            begin(text)
        } else if text.isEmpty {
            isHeadComplete = true
            return isLengthFine()
        } else if !isHeadComplete, let colon = text.firstIndex(of: ":") {
            // After the head come a chunked body's trailers, which speak of nothing that is asked for.
            add(text[..<colon].lowercased(), text[text.index(after: colon)...].trimmingBlanks())
        }
        return true
    }

    /// Takes a piece of the body; false if there has been too much.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= bodyLimit - body.count else { return end(.tooLarge) }
        body += bytes
        return true
    }

    /// Whether the body may come.
    ///
    /// libcurl believes the last of several lengths. Where they differ, nothing tells which one is meant (RFC 9112 section
    /// 6.3). A body that says it will be too long needn't come.
    private func isLengthFine() -> Bool {
        guard let field = fields["content-length"] else { return true }
        let lengths = Set(
            field.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingBlanks() })
        guard lengths.count == 1, let text = lengths.first, !text.isEmpty,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return end(.notHTTP) }
        return Int(text).map { $0 <= bodyLimit } ?? false || end(.tooLarge)
    }

    private func end(_ fault: UpstreamError) -> Bool {
        self.fault = fault
        return false
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
