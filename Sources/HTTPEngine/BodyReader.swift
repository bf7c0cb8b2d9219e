internal import CLLHTTP

/// The body of one request while it comes in; its request is detached from the loop's buffer.
///
/// llhttp reads it, counted or chunked, with a parser of its own that goes on where the loop's parser stood behind the
/// head. It stops at the body's end, so that it never sees the next request. Trailer fields are read and dropped. What
/// llhttp doesn't bound is bounded here: the data by `limit`, its framing by `FramingGuard`.
final class BodyReader {
    enum Progress: Equatable {
        /// More bytes are needed; all were taken.
        case incomplete
        /// The body's end was found and the request's `body` is set; the number of bytes taken.
        case complete(taken: Int)
        case refused(HTTPFault)
    }

    let request: HTTPRequest
    private let parser = UnsafeMutablePointer<llhttp_t>.allocate(capacity: 1)
    private let limit: UInt64
    private var framing = FramingGuard()
    /// Where the bytes begin of which it isn't known yet whether they are data.
    private var unchecked: UnsafeRawPointer?
    private var isChunkBegun = false
    /// Why a callback has stopped the parser.
    private var fault: HTTPFault?

    /// What llhttp calls back; the same for all bodies.
    ///
    /// Unsafe only in the eyes of the compiler: filled before its first use, and only read from then on.
    nonisolated(unsafe) private static let callbacks: UnsafeMutablePointer<llhttp_settings_t> = {
        let callbacks = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
        callbacks.initialize(to: llhttp_settings_t())
        callbacks.pointee.on_chunk_header = { parser in
            guard let parser, let reader = BodyReader.of(parser) else { return -1 }
            return reader.beginChunk(size: parser.pointee.content_length)
        }
        callbacks.pointee.on_body = { parser, at, length in
            guard let parser, let at, let reader = BodyReader.of(parser) else { return -1 }
            return reader.takeData(UnsafeRawBufferPointer(start: at, count: length))
        }
        callbacks.pointee.on_message_complete = { _ in Int32(HPE_PAUSED.rawValue) }
        return callbacks
    }()

    /// - Parameters:
    ///   - request: the request whose head was parsed last; detached.
    ///   - state: where the parser stands behind that head.
    ///   - limit: bytes of data of a chunked body; the length of a counted one was checked before.
    init(request: HTTPRequest, after state: llhttp_t, limit: Int) {
        self.request = request
        self.limit = UInt64(limit)
        parser.initialize(to: state)
        parser.pointee.settings = UnsafeMutableRawPointer(Self.callbacks)
        parser.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { parser.deallocate() }

    /// Takes what belongs to the body, in pieces of any size.
    func take(_ bytes: UnsafeRawBufferPointer) -> Progress {
        guard let base = bytes.baseAddress else { return .incomplete }
        unchecked = base
        let code = llhttp_execute(parser, base.assumingMemoryBound(to: CChar.self), bytes.count)
        var end = base + bytes.count
        if code != HPE_OK, let stop = llhttp_get_error_pos(parser) { end = UnsafeRawPointer(stop) }
        // First the guard: what it refuses stands before that at which the parser stopped, however the pieces are cut.
        guard admitsFraming(before: end) else { return .refused(.malformedBody) }
        switch code {
        case HPE_OK: return .incomplete
        case HPE_PAUSED:
            request.closeBody()
            return .complete(taken: end - base)
        default: return .refused(fault ?? .malformedBody)
        }
    }

    // MARK: - Callbacks

    private static func of(_ parser: UnsafeMutablePointer<llhttp_t>) -> BodyReader? {
        parser.pointee.data.map { Unmanaged<BodyReader>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Refuses a chunk as soon as its size is known to be too large.
    private func beginChunk(size: UInt64) -> Int32 {
        guard size <= limit - UInt64(request.bodyCountSoFar) else {
            fault = .bodyTooLarge
            return -1
        }
        isChunkBegun = size > 0
        return 0
    }

    private func takeData(_ data: UnsafeRawBufferPointer) -> Int32 {
        guard let start = data.baseAddress, admitsFraming(before: start) else { return -1 }
        if isChunkBegun {
            framing.beginData()
            isChunkBegun = false
        }
        request.appendBody(data)
        unchecked = start + data.count
        return 0
    }

    /// Has the guard look at what is between the last data and `end`.
    private func admitsFraming(before end: UnsafeRawPointer) -> Bool {
        guard let start = unchecked, start < end else { return true }
        unchecked = end
        return framing.admits(UnsafeRawBufferPointer(start: start, count: end - start))
    }
}
