/// What answers the requests of one event loop.
///
/// One object per loop; every call comes on that loop's thread and must not block it. Requests and writers are lent for
/// the length of the call and must not be kept.
package protocol HTTPApplication: AnyObject {
    /// Comes once, before any other call. Whoever keeps the server must keep it unowned: the server holds the
    /// application.
    func attached(to server: HTTPServer, loop: Int)

    /// Whether a body is read for this request at all.
    ///
    /// Asked at the end of the head, only if it announces a body and the method may bring one.
    /// - Returns: false to have the engine answer `HTTPFault.bodyNotTaken` and close.
    func takesBody(_ request: HTTPRequest) -> Bool

    /// Answers through `writer`, or parks.
    func respond(to request: HTTPRequest, writer: ResponseWriter) -> HTTPDisposition

    /// Writes the answer to a fault that the engine itself met; the engine closes afterwards as the fault demands.
    ///
    /// The writer must be finished when this returns.
    func respond(toFault fault: HTTPFault, writer: ResponseWriter)

    /// A parked request's or stream's client has gone, or the engine gave it up; the id is never known again.
    func abandoned(_ id: ConnectionID, _ why: Abandonment)

    /// The server has begun to drain: streams should be finished. Parked requests may still be answered.
    func draining()
}

extension HTTPApplication {
    package func attached(to server: HTTPServer, loop: Int) {}
    package func draining() {}
}
