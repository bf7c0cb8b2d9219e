/// The body of one request while it comes in; its request is detached from the loop's buffer.
final class BodyReader {
    let request: HTTPRequest
    private var framing: Framing

    private enum Framing {
        case counted(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    /// `limit` bounds the bytes of a chunked body; the length of a counted one was checked before.
    init(request: HTTPRequest, limit: Int) {
        self.request = request
        framing =
            request.isChunked
            ? .chunked(ChunkedDecoder(limit: limit)) : .counted(remaining: Int(request.contentLength))
    }

    /// Takes what belongs to the body; the request's `body` is set when it is complete.
    func take(_ bytes: UnsafeRawBufferPointer) -> ChunkedDecoder.Progress {
        switch framing {
        case .counted(let remaining):
            let count = min(remaining, bytes.count)
            request.appendBody(UnsafeRawBufferPointer(rebasing: bytes[0..<count]))
            framing = .counted(remaining: remaining - count)
            guard count == remaining else { return .incomplete }
            request.closeBody()
            return .complete(taken: count)
        case .chunked(var decoder):
            let progress = decoder.take(bytes) { request.appendBody($0) }
            framing = .chunked(decoder)
            if case .complete = progress { request.closeBody() }
            return progress
        }
    }
}
