import HTTPEngine

/// The token that a client shows: in `Authorization: Bearer` (RFC 6750 section 2.1), else in `X-API-Key`.
enum ClientToken {
    /// The bytes of the token, lent as long as the request; nil if there is none.
    static func of(_ request: HTTPRequest) -> UnsafeRawBufferPointer? {
        if let field = request.header(named: "authorization"), let token = BearerToken.value(of: field) {
            return token
        }
        guard let key = request.header(named: "x-api-key"), !key.isEmpty else { return nil }
        return key
    }
}
