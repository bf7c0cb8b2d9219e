import CHiredis
import Glibc

extension RedisEndpoint {
    /// Reads a URL.
    ///
    /// `redis://[user[:password]@]host[:port][/db]`, `rediss://…`, `unix:///path[?db=n]` (also `redis+unix`),
    /// `redis+sentinel://host[:port],…/service[/db]`, `redis+cluster://host[:port],…`; parameters as in
    /// `RedisEndpointExtras`. User, password, path and parameters are percent-decoded; `+` stays `+`. The parameter
    /// `password` replaces the URL's and is taken as it is; nil keeps the URL's.
    /// - Throws: `RedisURLError`, without a piece of the URL in it.
    package init(url: String, password override: String? = nil) throws(RedisURLError) {
        guard let mark = url.firstRange(of: "://") else { throw .unsupportedScheme }
        let scheme = url[..<mark.lowerBound].lowercased()
        var rest = url[mark.upperBound...]
        guard !rest.contains("#") else { throw .strayCharacter }

        var extras = RedisEndpointExtras()
        if let question = rest.firstIndex(of: "?") {
            extras = try RedisEndpointExtras(query: rest[rest.index(after: question)...])
            rest = rest[..<question]
        }
        if extras.isAboutSentinels && scheme != "redis+sentinel" { throw .foreignParameter }
        if extras.isAboutTLS && scheme != "rediss" { throw .foreignParameter }
        let slash = rest.firstIndex(of: "/")
        let path = slash.map { rest[rest.index(after: $0)...] }
        let authority = rest[..<(slash ?? rest.endIndex)]
        guard !(path ?? "").contains("@") else { throw .strayCharacter }

        let login = try Login(authority)
        if let override, override.isEmpty { throw .emptyPassword }
        let password = override ?? login.password
        if login.user != nil && password == nil { throw .userWithoutPassword }

        let place: Place
        var database = extras.database ?? 0
        switch scheme {
        case "redis", "rediss":
            let nodes = try Self.nodes(login.hosts, defaultPort: 6_379)
            guard nodes.count == 1 else { throw .severalHosts }
            place = .server(nodes[0])
            if let path, !path.isEmpty {
                guard extras.database == nil else { throw .badDatabase }
                database = try Self.database(path)
            }
        case "unix", "redis+unix":
            guard login.hosts.isEmpty, let path, !path.isEmpty else { throw .missingPath }
            let decoded = "/" + (try Self.decoded(path, .path))
            guard decoded.utf8.count <= 107, !decoded.utf8.contains(0) else { throw .pathTooLong }
            place = .unix(path: decoded)
        case "redis+sentinel":
            let parts = (path ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let service = parts.first, !service.isEmpty else { throw .missingService }
            place = .sentinel(
                try Self.nodes(login.hosts, defaultPort: 26_379),
                service: try Self.decoded(service, .service))
            if parts.count == 2, !parts[1].isEmpty {
                guard extras.database == nil else { throw .badDatabase }
                database = try Self.database(parts[1])
            }
        case "redis+cluster":
            guard ["", "0"].contains(path ?? ""), database == 0 else { throw .clusterDatabase }
            place = .cluster(try Self.nodes(login.hosts, defaultPort: 6_379))
        default: throw .unsupportedScheme
        }
        self.init(
            place: place, usesTLS: scheme == "rediss", user: login.user, password: password,
            database: database, extras: extras)
    }

    /// User and password, and what stands behind them.
    private struct Login {
        var user: String?
        var password: String?
        let hosts: Substring

        init(_ authority: Substring) throws(RedisURLError) {
            guard let at = authority.firstIndex(of: "@") else {
                hosts = authority
                return
            }
            hosts = authority[authority.index(after: at)...]
            guard !hosts.contains("@") else { throw .strayCharacter }
            let info = authority[..<at]
            let colon = info.firstIndex(of: ":")
            let name = try RedisEndpoint.decoded(info[..<(colon ?? info.endIndex)], .user)
            user = name.isEmpty ? nil : name
            if let colon {
                let text = try RedisEndpoint.decoded(info[info.index(after: colon)...], .password)
                password = text.isEmpty ? nil : text
            }
        }
    }

    private static func nodes(_ text: Substring, defaultPort: Int) throws(RedisURLError) -> [Node] {
        guard !text.isEmpty else { throw .missingHost }
        var nodes: [Node] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            nodes.append(try node(part, defaultPort: defaultPort))
        }
        return nodes
    }

    private static func node(_ text: Substring, defaultPort: Int) throws(RedisURLError) -> Node {
        var host = text
        var port: Substring?
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else { throw .badHost }
            host = text[text.index(after: text.startIndex)..<close]
            let behind = text[text.index(after: close)...]
            if !behind.isEmpty {
                guard behind.first == ":" else { throw .badHost }
                port = behind.dropFirst()
            }
            guard isIPv6(host) else { throw .badHost }
        } else {
            if let colon = text.firstIndex(of: ":") {
                host = text[..<colon]
                port = text[text.index(after: colon)...]
            }
            guard !host.isEmpty else { throw .missingHost }
            // A second colon is an IPv6 address without brackets, or a password with a stray character.
            guard port?.contains(":") != true else { throw .badHost }
            guard host.utf8.count <= 253, host.utf8.allSatisfy(isHostByte) else { throw .badHost }
        }
        guard let port else { return Node(host: String(host), port: defaultPort) }
        guard let number = number(port), (1...65_535).contains(number) else { throw .badPort }
        return Node(host: String(host), port: number)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether it is an IPv6 address, perhaps with a zone behind `%`.
    private static func isIPv6(_ text: Substring) -> Bool {
        var address = in6_addr()
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || !parts[1].isEmpty else { return false }
        return inet_pton(AF_INET6, String(parts[0]), &address) == 1
    }

    static func database(_ text: Substring) throws(RedisURLError) -> Int {
        guard let number = number(text), number <= 65_535 else { throw .badDatabase }
        return number
    }

    /// A decimal number of at most six digits, digits only.
    private static func number(_ text: Substring) -> Int? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    static func decoded(
        _ text: Substring, _ part: RedisURLError.Part
    ) throws(RedisURLError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue)
            else { throw .badEncoding(part) }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badEncoding(part) }
        return text
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
