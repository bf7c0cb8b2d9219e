/// A request's method (RFC 9110 section 9); those that no route takes are one case.
package enum HTTPMethod: UInt8, Sendable {
    case get, head, post, options, delete, put, patch
    /// A method that the parser knows and this program has no route for (TRACE, PROPFIND …).
    case other

    /// Whether a request with this method may bring a body here; GET and the like with one are refused.
    var mayBringBody: Bool {
        switch self {
        case .post, .put, .patch: true
        case .get, .head, .options, .delete, .other: false
        }
    }
}
