@testable import HTTPEngine

/// The engine's own reading of what a connection brings, without the sockets.
///
/// The steps are those of `HTTPLoop+reading.swift`; the limits are small, so that short inputs meet them.
struct WireReader {
    static let limits = HeadGuard.Limits(head: 256, fields: 6, target: 64)
    static let bodyLimit = 64

    enum Outcome: Equatable {
        case taken(Message)
        case refused(HTTPFault)
    }

    struct Message: Equatable {
        let head: [UInt8]
        let method: HTTPMethod
        let target: [UInt8]
        let path: [UInt8]
        let query: [UInt8]?
        let fields: [Field]
        let isHTTP10: Bool
        let isChunked: Bool
        let keepsAlive: Bool
        let expectsContinue: Bool
        var body: [UInt8] = []
        var rawBody: [UInt8] = []
    }

    struct Field: Equatable {
        let name: [UInt8]
        let value: [UInt8]
    }

    private let parser = HTTPParser(fieldLimit: limits.fields)
    private var headGuard = HeadGuard()
    private var input: [UInt8] = []
    private var body: BodyReader?
    private var message: Message?
    private var outcomes: [Outcome] = []
    private var isOver = false

    /// What becomes of pieces that come one after the other.
    static func outcomes(of pieces: [ArraySlice<UInt8>]) -> [Outcome] {
        var reader = WireReader()
        for piece in pieces where !reader.isOver {
            reader.input += piece
            reader.input.removeFirst(reader.advance())
        }
        return reader.outcomes
    }

    /// Reads what there is; says how many bytes were taken.
    private mutating func advance() -> Int {
        var taken = 0
        while taken < input.count, !isOver {
            // A copy of exactly the bytes that there are.
            let rest = Array(input[taken...])
            let step = rest.withUnsafeBytes { body == nil ? head($0) : data($0) }
            guard step > 0 else { break }
            taken += step
        }
        return isOver ? input.count : taken
    }

    private mutating func refuse(_ fault: HTTPFault) {
        outcomes.append(.refused(fault))
        isOver = true
    }

    private mutating func head(_ rest: UnsafeRawBufferPointer) -> Int {
        switch headGuard.check(rest, limits: Self.limits) {
        case .incomplete:
            guard headGuard.holdsOnlyEmptyLines(of: rest.count) else { return 0 }
            headGuard.dropEmptyLines()
            return rest.count
        case .refused(let fault): refuse(fault)
        case .complete(let start, let end):
            headGuard = HeadGuard()
            begin(UnsafeRawBufferPointer(rebasing: rest[start..<end]))
            return end
        }
        return 0
    }

    private mutating func begin(_ head: UnsafeRawBufferPointer) {
        let request = HTTPRequest(fieldLimit: Self.limits.fields, idPrefix: 0)
        if let fault = parser.parse(head, into: request) ?? MessageRules.apply(to: request)
            ?? Self.bodyFault(of: request)
        {
            return refuse(fault)
        }
        let message = Self.message(request, head)
        guard request.isChunked || request.contentLength > 0 else {
            return outcomes.append(.taken(message))
        }
        request.detach()
        self.message = message
        body = BodyReader(request: request, after: parser.state, limit: Self.bodyLimit)
    }

    private static func bodyFault(of request: HTTPRequest) -> HTTPFault? {
        guard request.isChunked || request.contentLength > 0 else { return nil }
        if request.contentLength > UInt64(bodyLimit) { return .bodyTooLarge }
        return request.method.mayBringBody ? nil : .bodyNotTaken
    }

    private mutating func data(_ rest: UnsafeRawBufferPointer) -> Int {
        guard let body, var message else { return 0 }
        switch body.take(rest) {
        case .incomplete:
            message.rawBody += rest
            self.message = message
            return rest.count
        case .complete(let taken):
            message.rawBody += rest.prefix(taken)
            message.body = Array(body.request.body)
            outcomes.append(.taken(message))
            self.body = nil
            body.request.recycle()
            return taken
        case .refused(let fault):
            refuse(fault)
            self.body = nil
            return 0
        }
    }

    private static func message(_ request: HTTPRequest, _ head: UnsafeRawBufferPointer) -> Message {
        var fields: [Field] = []
        request.forEachField { fields.append(Field(name: Array($0), value: Array($1))) }
        return Message(
            head: Array(head), method: request.method, target: Array(request.target),
            path: Array(request.path), query: request.query.map { Array($0) }, fields: fields,
            isHTTP10: request.isHTTP10, isChunked: request.isChunked, keepsAlive: request.keepsAlive,
            expectsContinue: request.expectsContinue)
    }
}
