/// What an application did with a request it was given.
package enum HTTPDisposition: Sendable {
    /// The writer was finished (`end`, `rawResponse`, `abort`), or a stream was begun with it.
    case answered
    /// The answer comes later, through `HTTPServer.resume` with the request's id. Nothing was written.
    case parked
}
