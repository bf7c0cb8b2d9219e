import Testing

@testable import CacheLayer

@Suite("A Redis URL")
struct RedisEndpointTests {
    @Test(
        "C128: gives the password exactly, with + as it is, and never shows it",
        arguments: [
            ("p%40ss%3Aw%2Frd%231%3Fx", "p@ss:w/rd#1?x"), ("100%2525", "100%25"), ("a+b=c", "a+b=c"),
            ("a%2Bb%3Dc", "a+b=c"), ("%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C", "пароль"), ("пароль", "пароль"),
            ("%20", " "), ("a:b", "a:b"),
        ])
    func password(encoded: String, expected: String) throws {
        for user in [nil, "", "first.last"] as [String?] {
            let login = (user ?? "") + ":" + encoded
            let endpoint = try RedisEndpoint(url: "redis://\(login)@localhost/2")
            #expect(endpoint.password == expected)
            #expect(endpoint.user == (user == "first.last" ? "first.last" : nil))
            #expect(endpoint.database == 2)
            for shown in ["\(endpoint)", String(reflecting: endpoint), dumped(endpoint)] {
                #expect(shown.contains(":***@localhost"))
                #expect(expected == " " || !shown.contains(expected))
                #expect(expected == " " || !shown.contains(encoded))
            }
        }
    }

    private func dumped(_ value: RedisEndpoint) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test("gives way to a password from a file")
    func override() throws {
        let endpoint = try RedisEndpoint(url: "redis://me:old@h", password: "n%65w")
        #expect(endpoint.password == "n%65w")
        #expect(endpoint.user == "me")
        #expect(throws: RedisURLError.emptyPassword) { try RedisEndpoint(url: "redis://h", password: "") }
    }

    @Test(
        "C130: takes IPv6 in brackets, without a second pair",
        arguments: [
            ("redis://[::1]:6379/0", "::1", 6_379, 0), ("redis://[::1]", "::1", 6_379, 0),
            ("redis://[2001:db8::1]/3", "2001:db8::1", 6_379, 3), ("rediss://[::1]", "::1", 6_379, 0),
            ("redis://[fe80::1%eth0]:7000", "fe80::1%eth0", 7_000, 0),
        ])
    func ipv6(url: String, host: String, port: Int, database: Int) throws {
        let endpoint = try RedisEndpoint(url: url)
        #expect(endpoint.place == .server(RedisEndpoint.Node(host: host, port: port)))
        #expect(endpoint.database == database)
        #expect(endpoint.usesTLS == url.hasPrefix("rediss"))
        #expect(endpoint.address == "[\(host)]:\(port)")
    }

    @Test("names a server, a socket, sentinels or a cluster")
    func places() throws {
        let node = { (host: String, port: Int) in RedisEndpoint.Node(host: host, port: port) }
        #expect(try RedisEndpoint(url: "REDIS://h").place == .server(node("h", 6_379)))
        #expect(try RedisEndpoint(url: "redis://h:1/").database == 0)
        #expect(try RedisEndpoint(url: "redis://h?db=4").database == 4)
        let socket = try RedisEndpoint(url: "unix:///run/my%20redis.sock?db=2")
        #expect(socket.place == .unix(path: "/run/my redis.sock"))
        #expect(socket.database == 2)
        #expect(try RedisEndpoint(url: "redis+unix://:pw@/r.sock").password == "pw")
        #expect(
            try RedisEndpoint(url: "redis+sentinel://h1:1,h2,[::1]:3/mymaster").place
                == .sentinel([node("h1", 1), node("h2", 26_379), node("::1", 3)], service: "mymaster"))
        #expect(
            try RedisEndpoint(url: "redis+cluster://h1,h2:7").place
                == .cluster([node("h1", 6_379), node("h2", 7)]))
    }

    @Test(
        "says what is wrong without a piece of itself",
        arguments: [
            ("h", .unsupportedScheme), ("http://h", .unsupportedScheme), ("redis:h", .unsupportedScheme),
            ("redis://:sec%4Gret@h", .badEncoding(.password)),
            ("redis://:secret%@h", .badEncoding(.password)),
            ("redis://:secret%f@h", .badEncoding(.password)),
            ("redis://:secret%ff@h", .badEncoding(.password)),
            ("redis://secret%zz:x@h", .badEncoding(.user)), ("redis://:se@cret@h", .strayCharacter),
            ("redis://:se#cret@h", .strayCharacter), ("redis://:se/cret@h", .strayCharacter),
            ("redis://:se?cret@h", .unknownParameter), ("redis://secret@h", .userWithoutPassword),
            ("redis://", .missingHost), ("redis://:secret@", .missingHost), ("redis://:6379", .missingHost),
            ("redis://h:secret", .badPort), ("redis://h:0", .badPort), ("redis://h:65536", .badPort),
            ("redis://h:", .badPort), ("redis://h:+1", .badPort), ("redis://::1", .missingHost),
            ("redis://2001:db8::1", .badHost), ("redis://[::1", .badHost), ("redis://[h]", .badHost),
            ("redis://[::1]x", .badHost), ("redis://h h", .badHost), ("redis://h/secret", .badDatabase),
            ("redis://h/-1", .badDatabase), ("redis://h/1/2", .badDatabase),
            ("redis://h/1?db=1", .badDatabase),
            ("redis://h?secret=1", .unknownParameter), ("redis://h1,h2", .severalHosts),
            ("redis://h,", .missingHost), ("unix://host/path", .missingPath), ("unix://", .missingPath),
            ("unix:///", .missingPath), ("redis+sentinel://h", .missingService),
            ("redis+cluster://h/1", .clusterDatabase), ("redis+cluster://h?db=3", .clusterDatabase),
            ("redis+sentinel://h/m/secret", .badDatabase), ("redis+sentinel://h/m/1?db=1", .badDatabase),
            ("redis+sentinel://h/m/1/2", .badDatabase),
            ("redis+sentinel://h/m?sentinel_password=secret%", .badEncoding(.sentinelPassword)),
            ("redis+sentinel://h/m?sentinel_password=", .emptyParameter(.sentinelPassword)),
            ("redis+sentinel://h/m?sentinel_user=secret", .userWithoutPassword),
            ("redis+sentinel://h/m?sentinel_password=secret&sentinel_password=secret", .unknownParameter),
            ("redis://h?sentinel_password=secret", .foreignParameter),
            ("redis://h?ca=/secret.pem", .foreignParameter),
            ("rediss://h?cert=/secret", .certificateWithoutKey),
            ("rediss://h?key=/secret", .certificateWithoutKey),
            ("redis://h?password=secret", .unknownParameter),
            ("redis://h?db=1&db=1", .unknownParameter), ("redis+sentinel:///secret", .missingHost),
            ("unix:///" + String(repeating: "p", count: 107), .pathTooLong),
        ] as [(String, RedisURLError)])
    func wrong(url: String, expected: RedisURLError) {
        #expect(throws: expected) { try RedisEndpoint(url: url) }
        #expect(!expected.description.contains("secret") && !expected.description.isEmpty)
    }

    @Test("of a kind that this build can't connect to is read, and refused by name")
    func unsupported() throws {
        for url in ["redis://h", "unix:///r.sock", "redis+sentinel://h/m", "redis+cluster://h"] {
            try RedisEndpoint(url: url).checkSupported()
        }
        let tls = try RedisEndpoint(url: "rediss://h")
        if RedisTLS.isBuiltIn {
            try tls.checkSupported()
        } else {
            #expect(throws: RedisURLError.tlsUnavailable(hiredisMajor: 0)) { try tls.checkSupported() }
        }
        #expect(RedisURLError.tlsUnavailable(hiredisMajor: 0).description.contains("TLS needs hiredis 1.x"))
    }
}
