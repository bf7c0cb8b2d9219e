import CacheLayer
import HTTPEngine

/// The token of a request (RFC 6750 section 2.1).
enum BearerToken {
    /// Checks the Authorization field against the one token that is good.
    ///
    /// Compares digests without an early exit: the time tells nothing of the good one.
    ///
    /// - Throws: 401 without a token, 403 for a wrong one.
    static func check(_ request: HTTPRequest, against token: Secret) throws(Problem) {
        guard let field = request.header(named: "authorization"), let given = value(of: field) else {
            throw Problem(.unauthorized, "A bearer token is needed.")
        }
        let good = Array(token.reveal().utf8).withUnsafeBytes { TokenDigest(of: $0) }
        guard good.matches(TokenDigest(of: given)) else {
            throw .wrongToken
        }
    }

    /// What follows `Bearer` and blanks; nil if the scheme is another.
    static func value(of field: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let scheme: StaticString = "bearer "
        let count = scheme.utf8CodeUnitCount
        guard field.count > count else { return nil }
        for index in 0..<count where field[index] | 0x20 != scheme.utf8Start[index] { return nil }
        return UnsafeRawBufferPointer(rebasing: field.dropFirst(count).drop { $0 == UInt8(ascii: " ") })
    }
}
