import EventLoop

/// One client's connection: its state and what it waits for.
///
/// `HTTPLoop` drives it, on its thread. An idle one holds no buffer; it gets one only for an unfinished head, a waiting request or unsent output.
final class HTTPConnection {
    enum Phase: UInt8 {
        /// Reads requests and answers them. To `parked`, `streaming`, `closing`, `closed`.
        case open
        /// Waits for the application's answer. To `open`, `streaming`, `closing`, `closed`.
        case parked
        /// The application writes a body bit by bit. To `open`, `closing`, `closed`.
        case streaming
        /// Takes no more requests; the rest of the output is going out. To `lingering`, `closed`.
        case closing
        /// Its own half is closed; input is dropped so that the client can read the last answer. To `closed`.
        case lingering
        case closed
    }

    let descriptor: Int32
    var id: ConnectionID
    var phase = Phase.open
    /// How the bytes of the running stream go out.
    var framing = ResponseWriter.Framing.chunked
    /// Whether another request may follow the running stream.
    var keepsAlive = true
    /// Whether the client may still be sending, so that closing at once could destroy the answer it reads.
    var lingers = false
    /// Whether it was over the limit: refused, and not among the open ones.
    let isRefused: Bool
    /// Whether the deadline of an unfinished head runs.
    var hasHeadDeadline = false
    var isReading = false
    var sideKinds: EventKinds = []
    var headGuard = HeadGuard()
    /// Input that waits: an unfinished head, or whatever came behind a request that isn't answered yet.
    var input = ByteBuffer()
    /// Output that the kernel hasn't taken yet.
    var unsent = ByteBuffer()
    /// What the kernel took since the write deadline was last moved.
    var progress = 0
    /// Bytes dropped while lingering.
    var dropped = 0
    /// The body that is being read.
    var body: BodyReader?
    /// The parked request.
    var request: HTTPRequest?
    /// Reports input.
    var readWatch: EventWatch?
    /// Reports that output goes on, or that the client has gone while input isn't read.
    var sideWatch: EventWatch?

    init(descriptor: Int32, id: ConnectionID, isRefused: Bool) {
        self.descriptor = descriptor
        self.id = id
        self.isRefused = isRefused
    }

    /// Whether the application owes it something.
    var isWaiting: Bool { phase == .parked || phase == .streaming }

    /// Whether it is between two requests.
    var isIdle: Bool { phase == .open && input.isEmpty && body == nil && unsent.isEmpty }
}
