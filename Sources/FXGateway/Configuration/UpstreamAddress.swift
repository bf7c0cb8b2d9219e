/// The upstream's base URL, checked: https or http, a host, no userinfo, no query.
struct UpstreamAddress: Hashable, Sendable, CustomStringConvertible {
    let isEncrypted: Bool
    /// In lower case; an IPv6 address without its brackets.
    let host: String
    let port: UInt16
    /// What stands between the authority and `/v1`, without a slash at its end; mostly empty.
    let prefix: String

    /// Why a text is no upstream URL.
    enum Fault: Error, Equatable {
        case notAURL
        case hasUserinfo
    }

    /// Reads `https://host[:port][/prefix]` and the same with http.
    ///
    /// - Throws: `.hasUserinfo` if there is an `@` in the authority: a password would end up in logs. `.notAURL` for
    ///   anything else.
    init(_ text: String) throws(Fault) {
        let rest: Substring
        if text.hasPrefix("https://") {
            isEncrypted = true
            rest = text.dropFirst(8)
        } else if text.hasPrefix("http://") {
            isEncrypted = false
            rest = text.dropFirst(7)
        } else {
            throw .notAURL
        }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .notAURL }
        guard !rest.contains("?"), !rest.contains("#"), !rest.contains("\\") else { throw .notAURL }
        let authority = rest.prefix { $0 != "/" }
        guard !authority.contains("@") else { throw .hasUserinfo }
        guard let (host, port) = Self.split(authority) else { throw .notAURL }
        self.host = host
        self.port = port ?? (isEncrypted ? 443 : 80)
        var prefix = rest[authority.endIndex...]
        while prefix.hasSuffix("/") { prefix = prefix.dropLast() }
        self.prefix = String(prefix)
    }

    /// Whether packets to it never leave this machine.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Host and port as they stand in a fleet's Redis keys.
    var hostAndPort: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    var description: String {
        let isUsual = port == (isEncrypted ? 443 : 80)
        let bracketed = host.contains(":") ? "[\(host)]" : host
        return "\(isEncrypted ? "https" : "http")://\(bracketed)\(isUsual ? "" : ":\(port)")\(prefix)"
    }

    private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
        var host = authority
        var port: UInt16?
        let bracket = authority.lastIndex(of: "]")
        if let colon = authority.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
            // In digits alone: the type's own reading would take `+443`.
            guard let number = UnitText.count(authority[authority.index(after: colon)...]),
                let value = UInt16(exactly: number), value > 0
            else { return nil }
            port = value
            host = authority[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":"), host.utf8.allSatisfy(addressBytes.contains) else { return nil }
        } else {
            guard !host.isEmpty, host.utf8.allSatisfy(nameBytes.contains) else { return nil }
        }
        return (host.lowercased(), port)
    }

    private static let addressBytes = Set("0123456789abcdefABCDEF:.".utf8)
    private static let nameBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_".utf8)
}
