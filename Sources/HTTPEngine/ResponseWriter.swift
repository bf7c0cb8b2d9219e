import Glibc

/// Writes one answer into the output of its loop.
///
/// `begin`, then fields, then one of the endings. The engine adds Date, X-Content-Type-Options, X-Request-Id,
/// Content-Length and, where due, Connection; it never sends a Server field. Lent for the length of a call, for the
/// loop's thread only.
package final class ResponseWriter {
    /// How far the answer has come.
    enum Stage: Equatable {
        /// Nothing was written. To `head` by `begin`; to `ended` by a raw answer or `abort`.
        case untouched
        /// Fields may be added. To `ended` by the endings.
        case head
        case ended(Ending)
    }

    /// What the connection does next.
    enum Ending: Equatable {
        /// The answer is whole.
        case whole
        /// More comes through `HTTPServer.write`, until `finish`.
        case stream(Framing)
        /// The connection is to be reset.
        case abort
    }

    /// How the bytes of a stream go out.
    enum Framing: UInt8 {
        /// In chunks (RFC 9112 section 7.1).
        case chunked
        /// As they are; the end is the end of the connection.
        case untilClose
    }

    /// Whether a request may be parked now; false if the loop holds as many as it may.
    package internal(set) var mayPark = true

    let output: OutputBuffer
    private let date: HTTPDate
    private(set) var stage = Stage.untouched
    /// Whether the connection stays open for another request afterwards.
    private(set) var keepsAlive = true
    private var isHead = false
    private var isHTTP10 = false
    private var status = 200
    private unowned(unsafe) var request: HTTPRequest?
    private var idPrefix: UInt32 = 0
    private var serial: UInt32 = 0
    private var start = 0

    init(output: OutputBuffer, date: HTTPDate) {
        self.output = output
        self.date = date
    }

    /// Made ready for the next answer; `request` is nil for a fault that was met before there was one.
    func prepare(
        for request: HTTPRequest?, idPrefix: UInt32, serial: UInt32, keepsAlive: Bool, mayPark: Bool
    ) {
        self.request = request
        self.idPrefix = idPrefix
        self.serial = serial
        self.keepsAlive = keepsAlive
        self.mayPark = mayPark
        isHead = request?.method == .head
        isHTTP10 = request?.isHTTP10 ?? false
        stage = .untouched
        start = output.count
    }

    /// Looks at the clock, once for each batch of answers.
    func refreshDate() { date.refresh() }

    /// Takes back all that was written since `prepare`.
    func rollBack() {
        output.truncate(to: start)
        stage = .untouched
    }

    // MARK: - Head

    /// Writes the status line and the fields that every answer has.
    ///
    /// - Parameter status: 200 … 599.
    package func begin(status: Int) {
        precondition(stage == .untouched, "an answer begins once")
        precondition((200...599).contains(status), "a final status has three digits from 200 on")
        stage = .head
        self.status = status
        if let line = StatusLine.known(status) {
            output.append(line)
        } else {
            output.append("HTTP/1.1 ")
            output.append(decimal: status)
            output.append(" \r\n")
        }
        output.append(UnsafeRawBufferPointer(date.lines))
        if let request, request.givenID >= 0 {
            output.append(request.field(at: request.givenID).value)
        } else {
            output.append(hexadecimal: idPrefix, padded: true)
            output.append(hexadecimal: serial, padded: true)
        }
        output.append("\r\n")
    }

    /// Adds a field whose value is known to be good.
    package func field(_ name: StaticString, _ value: StaticString) {
        beginField(name)
        output.append(value)
        output.append("\r\n")
    }

    /// Adds a field; control bytes in `value` go out as blanks, so that no value can end its line.
    package func field(_ name: StaticString, _ value: UnsafeRawBufferPointer) {
        beginField(name)
        let isClean = value.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        if isClean {
            output.append(value)
        } else {
            for byte in value { output.append(byte < 0x20 || byte == 0x7F ? ASCII.space : byte) }
        }
        output.append("\r\n")
    }

    /// Adds a field; control bytes in `value` go out as blanks.
    package func field(_ name: StaticString, _ value: String) {
        var text = value
        text.withUTF8 { field(name, UnsafeRawBufferPointer($0)) }
    }

    /// Adds a field with a number that isn't negative.
    package func field(_ name: StaticString, _ value: Int) {
        beginField(name)
        output.append(decimal: value)
        output.append("\r\n")
    }

    /// Adds prepared header lines, each with its CRLF, exactly as given.
    package func raw(_ lines: UnsafeRawBufferPointer) {
        precondition(stage == .head, "fields stand between begin and end")
        output.append(lines)
    }

    /// Adds prepared header lines, each with its CRLF, exactly as given.
    package func raw(_ lines: [UInt8]) {
        lines.withUnsafeBytes { raw($0) }
    }

    /// Adds a part of a header line exactly as given; whoever begins a line in parts ends it with its CRLF.
    package func raw(_ part: StaticString) {
        precondition(stage == .head, "fields stand between begin and end")
        output.append(part)
    }

    /// Adds a number's digits to a header line that is made in parts.
    package func raw(decimal value: Int) {
        if value < 0 { raw("-") }
        output.append(decimal: Int(clamping: value.magnitude))
    }

    private func beginField(_ name: StaticString) {
        precondition(stage == .head, "fields stand between begin and end")
        output.append(name)
        output.append(": ")
    }

    // MARK: - Endings

    /// Has the connection closed after this answer; to be called before the ending.
    package func closeConnection() {
        keepsAlive = false
    }

    /// Ends the answer with a body.
    ///
    /// HEAD gets its length only; 204 and 304 get neither (RFC 9110 section 8.6).
    package func end(body: UnsafeRawBufferPointer) {
        precondition(stage == .head, "an answer ends once, after begin")
        connectionField()
        if status != 204, status != 304 {
            output.append("Content-Length: ")
            output.append(decimal: body.count)
            output.append("\r\n\r\n")
            if !isHead { output.append(body) }
        } else {
            output.append("\r\n")
        }
        stage = .ended(.whole)
    }

    /// Ends the answer with a body.
    package func end(body: [UInt8]) {
        body.withUnsafeBytes { end(body: $0) }
    }

    /// Ends the answer with a body in UTF-8.
    package func end(body: String) {
        var text = body
        text.withUTF8 { end(body: UnsafeRawBufferPointer($0)) }
    }

    /// Ends the answer without a body (`Content-Length: 0`, or none where none may be).
    package func end() {
        end(body: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Ends the head of a stream: its body comes through `HTTPServer.write` with the request's id, until `finish`.
    ///
    /// HTTP/1.1 gets chunks, HTTP/1.0 the end of the connection. An answer to HEAD is whole with this.
    package func stream() {
        precondition(stage == .head, "an answer ends once, after begin")
        if isHTTP10 { keepsAlive = false }
        connectionField()
        if !isHTTP10 { output.append("Transfer-Encoding: chunked\r\n") }
        output.append("\r\n")
        stage = .ended(isHead ? .whole : .stream(isHTTP10 ? .untilClose : .chunked))
    }

    /// Adds the first part of a stream's body, in the call that began it.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        guard case .ended(.stream(let framing)) = stage, !bytes.isEmpty else { return }
        switch framing {
        case .untilClose: output.append(bytes)
        case .chunked:
            output.append(hexadecimal: UInt32(bytes.count), padded: false)
            output.append("\r\n")
            output.append(bytes)
            output.append("\r\n")
        }
    }

    /// Adds the first part of a stream's body, one that other streams get too.
    package func write(_ piece: StreamPiece) {
        guard case .ended(.stream(let framing)) = stage else { return }
        piece.withBytes(in: framing) { output.append($0) }
    }

    private func connectionField() {
        if !keepsAlive {
            output.append("Connection: close\r\n")
        } else if isHTTP10 {
            output.append("Connection: keep-alive\r\n")
        }
    }

    // MARK: - Raw answers

    /// Sends bytes exactly as given in place of an answer; for servers that must misbehave.
    package func rawResponse(_ bytes: UnsafeRawBufferPointer, thenClose: Bool) {
        precondition(stage == .untouched, "a raw answer stands alone")
        output.append(bytes)
        if thenClose { keepsAlive = false }
        stage = .ended(.whole)
    }

    /// Sends bytes exactly as given in place of an answer.
    package func rawResponse(_ bytes: [UInt8], thenClose: Bool) {
        bytes.withUnsafeBytes { rawResponse($0, thenClose: thenClose) }
    }

    /// Begins an answer whose bytes all come through `HTTPServer.write`, head included, and go out as they are.
    ///
    /// - Parameter thenClose: whether `finish` closes the connection.
    package func rawStream(thenClose: Bool) {
        precondition(stage == .untouched, "a raw answer stands alone")
        if thenClose { keepsAlive = false }
        stage = .ended(.stream(.untilClose))
    }

    /// Resets the connection instead of answering.
    package func abort() {
        stage = .ended(.abort)
    }
}
