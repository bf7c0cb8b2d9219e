/// Where the gateway listens.
enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address without brackets, and a port; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// A socket in the file system.
    case unix(path: String)

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, `:8080` (all IPv4 addresses) or `unix:/path`; nil for anything else.
    init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), path.utf8.count < 108 else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits)
        else {
            return nil
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        let isNumeric = host.utf8.allSatisfy { byte in
            Self.addressBytes.contains(byte)
        }
        guard isNumeric || host == "localhost" else { return nil }
        switch host {
        case "": self = .tcp(host: "0.0.0.0", port: port)
        case "localhost": self = .tcp(host: "127.0.0.1", port: port)
        default: self = .tcp(host: String(host), port: port)
        }
    }

    private static let addressBytes = Set("0123456789abcdefABCDEF:.%".utf8)

    var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
