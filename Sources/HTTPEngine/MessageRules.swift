/// What a well-formed head must also be for this server to take it (RFC 9112 sections 3.2 and 6, RFC 9110 section 10.1.1).
///
/// llhttp knows nothing of Host and Expect, and hands a target over whole, whatever its scheme and authority. Of transfer
/// codings it refuses those that don't end with `chunked`, but takes others in front of it, in one field or several, an
/// empty field as none, and all of that in HTTP/1.0.
enum MessageRules {
    /// Checks a parsed request and fills in what follows from its fields.
    ///
    /// - Returns: the fault for which it must be refused.
    static func apply(to request: HTTPRequest) -> HTTPFault? {
        var host = -1
        var hosts = 0
        var codings = 0
        var expectations = 0
        var isExactlyChunked = false
        var isContinue = false
        request.givenID = -1
        for index in 0..<request.fieldCount {
            // Told apart by length first: most fields are none of these.
            switch request.fields[index].nameCount {
            case 4:
                guard request.field(at: index).name.equals(lowerCase: "host") else { continue }
                host = index
                hosts += 1
            case 6:
                let (name, value) = request.field(at: index)
                guard name.equals(lowerCase: "expect") else { continue }
                expectations += 1
                isContinue = value.equals(lowerCase: "100-continue")
            case 12:
                let (name, value) = request.field(at: index)
                guard request.givenID < 0, name.equals(lowerCase: "x-request-id") else { continue }
                if (1...64).contains(value.count), value.allSatisfy(ASCII.isRequestID) {
                    request.givenID = index
                }
            case 17:
                let (name, value) = request.field(at: index)
                guard name.equals(lowerCase: "transfer-encoding") else { continue }
                codings += 1
                isExactlyChunked = value.equals(lowerCase: "chunked")
            default: continue
            }
        }
        if hosts > 1 || (hosts == 0 && !request.isHTTP10) { return .malformedHost }
        if hosts == 1, !isHost(request.field(at: host).value) { return .malformedHost }
        if codings > 0 {
            // HTTP/1.0 has no transfer codings; a peer that sends one may frame its messages differently.
            if request.isHTTP10 || codings > 1 { return .malformedFraming }
            if !isExactlyChunked { return .codingNotSupported }
        }
        if let fault = splitTarget(of: request) { return fault }
        request.expectsContinue = false
        if expectations > 0, !request.isHTTP10 {
            if expectations > 1 || !isContinue { return .expectationFailed }
            request.expectsContinue = true
        }
        return nil
    }

    /// Splits origin-form, absolute-form and `*` into path and query (RFC 9112 section 3.2).
    private static func splitTarget(of request: HTTPRequest) -> HTTPFault? {
        let target = request.target
        var pathStart = 0
        if target.first == 0x2A {
            guard target.count == 1, request.method == .options else { return .malformedRequestLine }
        } else if target.first != 0x2F {
            guard let authorityStart = authorityStart(in: target) else { return .malformedRequestLine }
            pathStart = authorityStart
            while pathStart < target.count, target[pathStart] != 0x2F, target[pathStart] != 0x3F {
                pathStart += 1
            }
            let authority = UnsafeRawBufferPointer(rebasing: target[authorityStart..<pathStart])
            guard isHost(authority) else { return .malformedHost }
        }
        var pathEnd = pathStart
        while pathEnd < target.count, target[pathEnd] != 0x3F { pathEnd += 1 }
        request.pathStart = request.targetStart + pathStart
        request.pathCount = pathEnd - pathStart
        request.queryStart = pathEnd < target.count ? request.targetStart + pathEnd + 1 : -1
        return nil
    }

    private static func authorityStart(in target: UnsafeRawBufferPointer) -> Int? {
        for scheme: StaticString in ["http://", "https://"] {
            let count = scheme.utf8CodeUnitCount
            guard target.count > count else { continue }
            if UnsafeRawBufferPointer(rebasing: target[0..<count]).equals(lowerCase: scheme) { return count }
        }
        return nil
    }

    /// Whether it is `host [ ":" port ]` with a host that isn't empty (RFC 9110 section 7.2).
    static func isHost(_ value: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        if value.first == 0x5B {
            index = 1
            while index < value.count,
                ASCII.hexadecimal(value[index]) != nil || value[index] == 0x3A
                    || value[index] == 0x2E
            {
                index += 1
            }
            guard index > 2, index < value.count, value[index] == 0x5D else { return false }
            index += 1
        } else {
            while index < value.count, ASCII.isHostName(value[index]) { index += 1 }
            guard index > 0 else { return false }
        }
        if index == value.count { return true }
        guard value[index] == 0x3A, value.count - index <= 6 else { return false }
        return value[(index + 1)...].allSatisfy(ASCII.isDigit)
    }
}
