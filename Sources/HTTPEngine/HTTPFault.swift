/// What the engine itself refuses, before or instead of asking the application for an answer.
///
/// Every fault ends its connection, except `tooManyParked`, which only ends its request.
package enum HTTPFault: Int, CaseIterable, Sendable {
    /// The request line isn't `method SP target SP version`, or its target holds what no target may hold.
    case malformedRequestLine
    /// A header line breaks the grammar: bare CR or LF, folding, control bytes, a bad name.
    case malformedField
    /// HTTP/1.1 without exactly one Host, or one that names no host (RFC 9112 section 3.2).
    case malformedHost
    /// Content-Length and Transfer-Encoding don't say one thing (RFC 9112 section 6.3).
    case malformedFraming
    /// The chunks of a body break the grammar (RFC 9112 section 7.1).
    case malformedBody
    /// A version other than 1.0 and 1.1.
    case versionNotSupported
    /// A method that isn't known, or CONNECT.
    case methodNotSupported
    /// A transfer coding other than exactly `chunked`.
    case codingNotSupported
    /// An expectation other than `100-continue`.
    case expectationFailed
    case targetTooLong
    case headTooLarge
    case tooManyFields
    case bodyTooLarge
    /// A body where none is taken.
    case bodyNotTaken
    case headTimedOut
    case bodyTimedOut
    /// The server holds as many connections as it may.
    case tooManyConnections
    /// The loop holds as many parked requests as it may.
    case tooManyParked

    /// Its name as the label of a metric: `malformedHost` is `malformed_host`.
    package var label: String {
        String(describing: self).reduce(into: "") { label, character in
            if character.isUppercase { label += "_" }
            label += character.lowercased()
        }
    }

    /// The status code of its answer.
    package var status: Int {
        switch self {
        case .malformedRequestLine, .malformedField, .malformedHost, .malformedFraming, .malformedBody: 400
        case .headTimedOut, .bodyTimedOut: 408
        case .bodyTooLarge, .bodyNotTaken: 413
        case .targetTooLong: 414
        case .expectationFailed: 417
        case .headTooLarge, .tooManyFields: 431
        case .methodNotSupported, .codingNotSupported: 501
        case .tooManyConnections, .tooManyParked: 503
        case .versionNotSupported: 505
        }
    }

    /// One fixed sentence for the answer's body; it quotes nothing of the request.
    package var explanation: StaticString {
        switch self {
        case .malformedRequestLine: "The request line is malformed."
        case .malformedField: "A header field is malformed."
        case .malformedHost: "Exactly one valid Host field is needed."
        case .malformedFraming: "Content-Length or Transfer-Encoding is invalid."
        case .malformedBody: "The chunked body is malformed."
        case .versionNotSupported: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
        case .methodNotSupported: "The method is not known."
        case .codingNotSupported: "The only transfer coding taken is chunked."
        case .expectationFailed: "The only expectation met is 100-continue."
        case .targetTooLong: "The request target is too long."
        case .headTooLarge: "The request head is too large."
        case .tooManyFields: "The request has too many header fields."
        case .bodyTooLarge: "The request body is too large."
        case .bodyNotTaken: "A request body is not taken here."
        case .headTimedOut: "The request head did not arrive in time."
        case .bodyTimedOut: "The request body did not arrive in time."
        case .tooManyConnections: "The server has too many connections."
        case .tooManyParked: "The server has too many waiting requests."
        }
    }

    var endsConnection: Bool { self != .tooManyParked }
}
