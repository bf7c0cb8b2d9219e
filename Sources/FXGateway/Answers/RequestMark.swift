import HTTPEngine
import Telemetry

/// By what the lines of a log are told to belong to one request.
struct RequestMark: Sendable {
    /// The id that its answer carries.
    let requestID: String
    /// The trace that it belongs to, where its client says so.
    let parent: TraceParent?

    init(_ request: HTTPRequest) {
        requestID = request.requestID
        parent = TraceParent(request)
    }

    var fields: [Logger.Field] {
        [(.requestID, requestID)] + (parent.map { [(.traceparent, $0.text)] } ?? [])
    }
}
