import HTTPEngine

extension Problem {
    /// What the engine itself refuses, as a problem.
    init(_ fault: HTTPFault) {
        let kind: ProblemKind =
            switch fault {
            case .malformedRequestLine, .malformedField, .malformedHost, .malformedFraming, .malformedBody:
                .invalidRequest
            case .versionNotSupported: .versionNotSupported
            case .methodNotSupported, .codingNotSupported: .notImplemented
            case .expectationFailed: .expectationFailed
            case .targetTooLong: .targetTooLong
            case .headTooLarge, .tooManyFields: .fieldsTooLarge
            case .bodyTooLarge, .bodyNotTaken: .contentTooLarge
            case .headTimedOut, .bodyTimedOut: .requestTimeout
            case .tooManyConnections, .tooManyParked: .overloaded
            }
        self.init(kind, "\(fault.explanation)", retryAfter: kind == .overloaded ? 1 : nil)
    }
}
