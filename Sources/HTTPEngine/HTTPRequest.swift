import Glibc

/// One request: its head, and its body once that was read.
///
/// Lent for the length of a call: the bytes belong to the loop's input buffer, or to the engine while the request is
/// parked. Only for the loop's thread.
package final class HTTPRequest {
    package internal(set) var method = HTTPMethod.get
    /// Whether the client speaks HTTP/1.0: no chunks, no interim answers, and it closes unless it asked not to.
    package internal(set) var isHTTP10 = false
    /// What parked requests are resumed by and streams are written to.
    package internal(set) var connection = ConnectionID(loop: 0, serial: 0, slot: 0)
    /// The whole body with its transfer coding removed; empty without one.
    package internal(set) var body = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Number of header fields.
    package internal(set) var fieldCount = 0

    /// The head's first byte, to which all offsets count.
    var head = UnsafeRawBufferPointer(start: nil, count: 0)
    let fields: UnsafeMutablePointer<FieldSpan>
    var targetStart = 0
    var targetCount = 0
    var pathStart = 0
    /// 0 stands for the root of an absolute-form target that has no path.
    var pathCount = 0
    /// Negative without a `?`.
    var queryStart = -1
    /// The number in the id the engine makes for it.
    var serial: UInt32 = 0
    /// Index of the field that holds the client's own request id, if it's a good one.
    var givenID = -1
    var keepsAlive = false
    var isChunked = false
    var contentLength: UInt64 = 0
    /// Whether the client waits for `100 Continue` before it sends the body.
    var expectsContinue = false
    var descriptor: Int32 = -1
    /// The random half of the ids its loop makes.
    let idPrefix: UInt32

    private var ownHead: UnsafeMutableRawPointer?
    private var ownBody = ByteBuffer()

    init(fieldLimit: Int, idPrefix: UInt32) {
        fields = .allocate(capacity: fieldLimit)
        self.idPrefix = idPrefix
    }

    deinit {
        fields.deallocate()
        free(ownHead)
    }

    // MARK: - Target

    /// The request target as it came (RFC 9112 section 3.2); printable ASCII without blanks and `#`.
    package var target: UnsafeRawBufferPointer { slice(targetStart, targetCount) }

    /// The path as it came, undecoded: begins with `/`, or is `*` for OPTIONS.
    package var path: UnsafeRawBufferPointer {
        pathCount > 0
            ? slice(pathStart, pathCount) : UnsafeRawBufferPointer(start: Self.root.utf8Start, count: 1)
    }

    /// The bytes after the first `?`, undecoded; nil without a `?`.
    package var query: UnsafeRawBufferPointer? {
        queryStart < 0 ? nil : slice(queryStart, targetStart + targetCount - queryStart)
    }

    private static let root: StaticString = "/"

    // MARK: - Header fields

    /// Name and value of the field at `index`, in the order they came; the value without blanks around it.
    package func field(at index: Int) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        precondition(index >= 0 && index < fieldCount, "a field's index is below the number of fields")
        let span = fields[index]
        return (
            slice(Int(span.nameStart), Int(span.nameCount)), slice(Int(span.valueStart), Int(span.valueCount))
        )
    }

    /// The value of the first field of that name (given in lower case), compared without regard to letter case.
    package func header(named name: StaticString) -> UnsafeRawBufferPointer? {
        guard let index = nextIndex(of: name, from: 0) else { return nil }
        return field(at: index).value
    }

    /// How many fields have that name (in lower case).
    package func headerCount(named name: StaticString) -> Int {
        var count = 0
        var from = 0
        while let index = nextIndex(of: name, from: from) {
            count += 1
            from = index + 1
        }
        return count
    }

    /// Calls `body` with each field's name and value, in the order they came.
    package func forEachField(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) {
        for index in 0..<fieldCount {
            let (name, value) = field(at: index)
            body(name, value)
        }
    }

    private func nextIndex(of name: StaticString, from: Int) -> Int? {
        let wanted = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        var index = from
        while index < fieldCount {
            let span = fields[index]
            if Int(span.nameCount) == wanted.count,
                slice(Int(span.nameStart), wanted.count).equals(lowerCase: wanted)
            {
                return index
            }
            index += 1
        }
        return nil
    }

    // MARK: - For logs

    /// The id that the answer carries in X-Request-Id: the client's own if it is a good one, else one made here.
    package var requestID: String {
        if givenID >= 0 { return String(decoding: field(at: givenID).value, as: UTF8.self) }
        return Self.hexadecimal(idPrefix) + Self.hexadecimal(serial)
    }

    /// The peer's address without its port, asked from the kernel at each call; `unix` on a local socket, empty if
    /// the peer has gone.
    package var peerAddress: String { SocketAddress.peer(of: descriptor) }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    // MARK: - Life

    /// Moves the head out of the loop's buffer into memory of its own, where the body is from the start.
    func detach() {
        guard ownHead == nil, let start = head.baseAddress else { return }
        guard let copy = malloc(head.count) else { fatalError("out of memory") }
        memcpy(copy, start, head.count)
        ownHead = copy
        head = UnsafeRawBufferPointer(start: copy, count: head.count)
    }

    /// Adds to the body of a detached request; `closeBody` makes it visible.
    func appendBody(_ bytes: UnsafeRawBufferPointer) {
        ownBody.append(bytes)
    }

    var bodyCountSoFar: Int { ownBody.count }

    func closeBody() {
        body = ownBody.bytes
    }

    /// Gives back what it owns, so that it can serve for another request.
    func recycle() {
        free(ownHead)
        ownHead = nil
        ownBody.release()
        head = UnsafeRawBufferPointer(start: nil, count: 0)
        body = head
        fieldCount = 0
    }

    private func slice(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        guard let base = head.baseAddress else { return head }
        return UnsafeRawBufferPointer(start: base + start, count: count)
    }
}
