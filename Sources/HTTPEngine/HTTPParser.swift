internal import CLLHTTP

/// Takes apart whole heads that `HeadGuard` has let through, by llhttp.
///
/// The parser starts anew with each head and never sees a body, so nothing is carried from one message to the next; a
/// `BodyReader` goes on from its `state`. Its strict mode checks methods, targets, versions, names, values,
/// Content-Length and Transfer-Encoding. One per loop, for its thread only.
final class HTTPParser {
    private let parser = UnsafeMutablePointer<llhttp_t>.allocate(capacity: 1)
    private let settings = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
    private let sink = UnsafeMutablePointer<HeadSink>.allocate(capacity: 1)
    private let fieldLimit: Int

    /// Where the callbacks put what they are told.
    private struct HeadSink {
        var base: UnsafeRawPointer
        var fields: UnsafeMutablePointer<FieldSpan>
        var fieldLimit: Int
        var fieldCount = 0
        var targetStart = 0
        var targetCount = 0
        var method: UInt8 = 0
        var major: UInt8 = 0
        var minor: UInt8 = 0
        var flags: UInt16 = 0
        var contentLength: UInt64 = 0
        var keepsAlive = false
        var isComplete = false
    }

    init(fieldLimit: Int) {
        self.fieldLimit = fieldLimit
        parser.initialize(to: llhttp_t())
        settings.initialize(to: llhttp_settings_t())
        settings.pointee.on_url = { parser, at, length in
            HTTPParser.withSink(parser, at) { sink, offset in
                if sink.pointee.targetCount == 0 { sink.pointee.targetStart = offset }
                sink.pointee.targetCount = offset + length - sink.pointee.targetStart
                return 0
            }
        }
        settings.pointee.on_header_field = { parser, at, length in
            HTTPParser.withSink(parser, at) { sink, offset in
                let index = sink.pointee.fieldCount
                guard index < sink.pointee.fieldLimit else { return -1 }
                sink.pointee.fields[index] = FieldSpan(
                    nameStart: UInt16(truncatingIfNeeded: offset),
                    nameCount: UInt16(truncatingIfNeeded: length))
                sink.pointee.fieldCount = index + 1
                return 0
            }
        }
        settings.pointee.on_header_value = { parser, at, length in
            HTTPParser.withSink(parser, at) { sink, offset in
                let index = sink.pointee.fieldCount - 1
                guard index >= 0 else { return -1 }
                if sink.pointee.fields[index].valueCount == 0 {
                    sink.pointee.fields[index].valueStart = UInt16(truncatingIfNeeded: offset)
                }
                let start = Int(sink.pointee.fields[index].valueStart)
                sink.pointee.fields[index].valueCount = UInt16(truncatingIfNeeded: offset + length - start)
                return 0
            }
        }
        settings.pointee.on_headers_complete = { parser in
            guard let parser, let data = parser.pointee.data else { return -1 }
            let sink = data.assumingMemoryBound(to: HeadSink.self)
            sink.pointee.method = parser.pointee.method
            sink.pointee.major = parser.pointee.http_major
            sink.pointee.minor = parser.pointee.http_minor
            sink.pointee.flags = parser.pointee.flags
            sink.pointee.contentLength = parser.pointee.content_length
            sink.pointee.keepsAlive = llhttp_should_keep_alive(parser) != 0
            sink.pointee.isComplete = true
            // Upgrades are not taken: the request is a plain one (RFC 9110 section 7.8).
            parser.pointee.upgrade = 0
            return 0
        }
    }

    deinit {
        parser.deallocate()
        settings.deallocate()
        sink.deallocate()
    }

    /// Where llhttp stands behind the head that was parsed last: at the first byte of its body.
    var state: llhttp_t { parser.pointee }

    /// Reads `head` into `request`, whose offsets then count from the head's first byte.
    ///
    /// - Returns: the fault for which it must be refused; `request` is void then.
    func parse(_ head: UnsafeRawBufferPointer, into request: HTTPRequest) -> HTTPFault? {
        guard let base = head.baseAddress else { return .malformedRequestLine }
        sink.initialize(to: HeadSink(base: base, fields: request.fields, fieldLimit: fieldLimit))
        llhttp_init(parser, HTTP_REQUEST, settings)
        parser.pointee.data = UnsafeMutableRawPointer(sink)
        let code = llhttp_execute(parser, base.assumingMemoryBound(to: CChar.self), head.count)
        guard code == HPE_OK, sink.pointee.isComplete else { return Self.fault(code, sink: sink.pointee) }
        // llhttp also takes HTTP/0.9 and HTTP/2.0.
        guard sink.pointee.major == 1 else { return .versionNotSupported }
        let method = llhttp_method_t(rawValue: UInt32(sink.pointee.method))
        if method == HTTP_CONNECT { return .methodNotSupported }

        request.head = head
        request.method = Self.method(method)
        request.isHTTP10 = sink.pointee.minor == 0
        request.fieldCount = sink.pointee.fieldCount
        request.targetStart = sink.pointee.targetStart
        request.targetCount = sink.pointee.targetCount
        request.contentLength = sink.pointee.contentLength
        request.isChunked = UInt32(sink.pointee.flags) & F_CHUNKED.rawValue != 0
        // llhttp lets keep-alive win over close in HTTP/1.0; close wins here (RFC 9112 section 9.3).
        request.keepsAlive =
            sink.pointee.keepsAlive && UInt32(sink.pointee.flags) & F_CONNECTION_CLOSE.rawValue == 0
        request.body = UnsafeRawBufferPointer(start: nil, count: 0)
        for index in 0..<request.fieldCount { Self.trim(&request.fields[index], in: base) }
        return nil
    }

    @inline(__always)
    private static func withSink(
        _ parser: UnsafeMutablePointer<llhttp_t>?, _ at: UnsafePointer<CChar>?,
        _ body: (UnsafeMutablePointer<HeadSink>, Int) -> Int32
    ) -> Int32 {
        guard let data = parser?.pointee.data, let at else { return -1 }
        let sink = data.assumingMemoryBound(to: HeadSink.self)
        return body(sink, UnsafeRawPointer(at) - sink.pointee.base)
    }

    /// The parser leaves the blanks behind a value in it; they are no part of it (RFC 9112 section 5.1).
    @inline(__always)
    private static func trim(_ span: inout FieldSpan, in base: UnsafeRawPointer) {
        while span.valueCount > 0 {
            let last = base.load(fromByteOffset: Int(span.valueStart + span.valueCount) - 1, as: UInt8.self)
            guard last == ASCII.space || last == ASCII.tab else { return }
            span.valueCount -= 1
        }
    }

    private static func method(_ method: llhttp_method_t) -> HTTPMethod {
        switch method {
        case HTTP_GET: .get
        case HTTP_HEAD: .head
        case HTTP_POST: .post
        case HTTP_OPTIONS: .options
        case HTTP_DELETE: .delete
        case HTTP_PUT: .put
        case HTTP_PATCH: .patch
        default: .other
        }
    }

    private static func fault(_ code: llhttp_errno_t, sink: HeadSink) -> HTTPFault {
        switch code {
        // The guard has seen to it that it is a token: a method, but none that is known.
        case HPE_INVALID_METHOD: .methodNotSupported
        case HPE_INVALID_URL, HPE_INVALID_CONSTANT: .malformedRequestLine
        case HPE_INVALID_VERSION, HPE_PAUSED_H2_UPGRADE: .versionNotSupported
        case HPE_UNEXPECTED_CONTENT_LENGTH, HPE_INVALID_CONTENT_LENGTH, HPE_INVALID_TRANSFER_ENCODING:
            .malformedFraming
        case HPE_PAUSED_UPGRADE: .methodNotSupported
        default: sink.targetCount == 0 ? .malformedRequestLine : .malformedField
        }
    }
}
