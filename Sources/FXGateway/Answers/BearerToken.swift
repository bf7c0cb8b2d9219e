import HTTPEngine

/// The token of a request (RFC 6750 section 2.1).
enum BearerToken {
    /// Checks the Authorization field against the one token that is good.
    ///
    /// Takes as long for a wrong token as for a right one of the same length.
    ///
    /// - Throws: 401 without a token, 403 for a wrong one.
    static func check(_ request: HTTPRequest, against token: Secret) throws(Problem) {
        guard let field = request.header(named: "authorization"), let given = value(of: field) else {
            throw Problem(.unauthorized, "A bearer token is needed.")
        }
        guard isEqual(Array(given), Array(token.reveal().utf8)) else {
            throw Problem(.forbidden, "The token is not valid here.")
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

    /// No early exit: the time tells nothing of how many bytes are right.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var difference = left.count ^ right.count
        for index in 0..<max(left.count, right.count) {
            let a = index < left.count ? left[index] : 0
            let b = index < right.count ? right[index] : 0
            difference |= Int(a ^ b)
        }
        return difference == 0
    }
}
