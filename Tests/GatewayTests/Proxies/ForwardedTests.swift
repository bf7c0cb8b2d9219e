import Testing

@testable import FXGateway

@Suite("Whose address it is")
struct ForwardedTests {
    private static func proxies(_ text: String) -> TrustedProxies { TrustedProxies(text) ?? .none }

    private func hops(_ value: String, _ read: (UnsafeRawBufferPointer) -> [IPAddress?]) -> [String] {
        Array(value.utf8).withUnsafeBytes { read($0) }.map { $0?.description ?? "-" }
    }

    private func judge(
        _ peer: String, _ proxies: String, forwarded: String? = nil, forwardedFor: String? = nil
    ) -> ClientAddress {
        func read(_ text: String?, _ read: (UnsafeRawBufferPointer) -> [IPAddress?]) -> [IPAddress?]? {
            text.map { text in Array(text.utf8).withUnsafeBytes { read($0) } }
        }
        return ClientAddress.judge(
            peer: peer, forwarded: read(forwarded, ForwardedHops.ofForwarded),
            forwardedFor: read(forwardedFor, ForwardedHops.ofForwardedFor), Self.proxies(proxies))
    }

    @Test(
        "a prefix holds what begins with its bits, to the bit, and nothing of the other family",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("192.0.2.128/25", "192.0.2.128", true), ("192.0.2.128/25", "192.0.2.127", false),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("::/0", "::1", true), ("::/0", "127.0.0.1", false), ("127.0.0.1", "::ffff:127.0.0.1", true),
        ])
    func prefixes(prefix: String, address: String, isInside: Bool) throws {
        let prefix = try #require(AddressPrefix(prefix))
        #expect(prefix.contains(try #require(IPAddress(parsing: address.utf8))) == isInside)
    }

    @Test("a list is written as it is read again", arguments: ["10.0.0.0/8,::1,2001:db8::/32,unix", "unix"])
    func roundTrip(text: String) {
        #expect(TrustedProxies(text)?.description == text)
        #expect(TrustedProxies(text).map { TrustedProxies($0.description) } == TrustedProxies(text))
    }

    @Test(
        "what is no list of addresses and prefixes is refused as a whole",
        arguments: [
            "", ",", "10.0.0.0/8,", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8",
            "2001:db8::1/32", "::/129", "::ffff:10.0.0.0/104", "host", "010.0.0.1", "10.0.0", "[::1]",
            "::1%eth0", "10.0.0.1:80", "Unix", "10.0.0.0/8 10.0.0.1", "10.0.0.0/٨",
            Array(repeating: "10.0.0.1", count: 65).joined(separator: ","),
        ])
    func badLists(text: String) {
        #expect(TrustedProxies(text) == nil)
        #expect(TrustedProxies(Array(repeating: "10.0.0.1", count: 64).joined(separator: ", ")) != nil)
    }

    @Test(
        "X-Forwarded-For: addresses with and without ports and brackets, and nothing else",
        arguments: [
            ("192.0.2.1", ["192.0.2.1"]), ("192.0.2.1, 2001:DB8::1", ["192.0.2.1", "2001:db8::1"]),
            ("192.0.2.1:80,[2001:db8::1],[2001:db8::1]:443", ["192.0.2.1", "2001:db8::1", "2001:db8::1"]),
            ("::ffff:192.0.2.1", ["192.0.2.1"]), (" , ,", []), ("unknown", ["-"]),
            ("192.0.2.1:, 192.0.2.1:x, 192.0.2.1:123456", ["-", "-", "-"]),
            ("[192.0.2.1], [::1, [::1]x, ::1]", ["-", "-", "-", "-"]),
            ("192.0.2.01, 1.2.3, 1.2.3.4.5", ["-", "-", "-"]),
            ("\"192.0.2.1\"", ["-"]), ("fe80::1%eth0", ["-"]), ("192.0.2.1 192.0.2.2", ["-"]),
            ("a\\nb\u{1b}[31m", ["-"]),
        ])
    func forwardedFor(value: String, expected: [String]) {
        #expect(hops(value, ForwardedHops.ofForwardedFor) == expected)
    }

    @Test(
        "Forwarded: the for of each element, in quotes or not, whatever stands beside it (RFC 7239)",
        arguments: [
            ("for=192.0.2.60;proto=http;by=203.0.113.43", ["192.0.2.60"]),
            ("For=\"[2001:db8:cafe::17]:4711\"", ["2001:db8:cafe::17"]),
            ("for=192.0.2.43, FOR=\"198.51.100.17:80\" ;host=x", ["192.0.2.43", "198.51.100.17"]),
            ("host=\"a,b;for=1.1.1.1\";for=192.0.2.1", ["192.0.2.1"]),
            ("host=\"a\\\",for=1.1.1.1\";for=192.0.2.1", ["192.0.2.1"]),
            ("proto=https, for=192.0.2.1", ["-", "192.0.2.1"]), ("for=unknown, for=_hidden", ["-", "-"]),
            ("for=192.0.2.1;for=192.0.2.2", ["-"]), ("for=\"192.0.2.1, for=192.0.2.2", ["-"]),
            ("for=\"192.0.2.1\"x", ["-"]), ("for=", ["-"]), ("for", ["-"]), ("for = 192.0.2.1", ["-"]),
            ("", []),
            ("for=\"\\192.0.2.1\"", ["-"]),
        ])
    func forwarded(value: String, expected: [String]) {
        #expect(hops(value, ForwardedHops.ofForwarded) == expected)
    }

    @Test("nobody is believed without a list, and none but those on it")
    func untrusted() {
        #expect(judge("10.0.0.1", "10.0.0.1", forwardedFor: "192.0.2.1").text == "192.0.2.1")
        let stranger = judge("10.0.0.2", "10.0.0.1", forwardedFor: "192.0.2.1")
        #expect(stranger == ClientAddress(text: "10.0.0.2", ignored: .untrusted))
        #expect(judge("10.0.0.2", "10.0.0.1") == ClientAddress(text: "10.0.0.2"))
        #expect(
            judge("unix", "unix", forwardedFor: "192.0.2.1")
                == ClientAddress(text: "192.0.2.1", proxy: "unix"))
        #expect(judge("unix", "10.0.0.1", forwardedFor: "192.0.2.1").ignored == .untrusted)
        #expect(judge("", "0.0.0.0/0,::/0,unix", forwardedFor: "192.0.2.1").text.isEmpty)
        #expect(judge("::ffff:10.0.0.1", "10.0.0.1", forwardedFor: "192.0.2.1").text == "192.0.2.1")
    }

    @Test("the client is the rightmost hop that is no proxy: what it claims itself is not looked at")
    func rightmost() {
        let inside = "10.0.0.0/8"
        #expect(judge("10.0.0.1", inside, forwardedFor: "1.1.1.1, 192.0.2.1, 10.0.0.7").text == "192.0.2.1")
        #expect(judge("10.0.0.1", inside, forwardedFor: "garbage, 192.0.2.1").ignored == nil)
        #expect(judge("10.0.0.1", inside, forwardedFor: "10.0.0.9, 10.0.0.7").text == "10.0.0.9")
        #expect(judge("10.0.0.1", inside, forwarded: "for=1.1.1.1, for=192.0.2.1").text == "192.0.2.1")
    }

    @Test("a hop without an address ends the way: the last one that has one is the client, and it is counted")
    func malformed() {
        let cut = judge("10.0.0.1", "10.0.0.0/8", forwardedFor: "192.0.2.1, unknown, 10.0.0.7")
        #expect(cut == ClientAddress(text: "10.0.0.7", proxy: "10.0.0.1", ignored: .malformed))
        let none = judge("10.0.0.1", "10.0.0.0/8", forwardedFor: "192.0.2.1, x")
        #expect(none == ClientAddress(text: "10.0.0.1", ignored: .malformed))
        let long = Array(repeating: "10.0.0.7", count: 40).joined(separator: ",")
        #expect(judge("10.0.0.1", "10.0.0.0/8", forwardedFor: "192.0.2.1," + long).ignored == .malformed)
    }

    @Test("two fields that name two clients are both left aside")
    func conflict() {
        let same = judge(
            "10.0.0.1", "10.0.0.1", forwarded: "for=192.0.2.1", forwardedFor: "1.1.1.1, 192.0.2.1")
        #expect(same == ClientAddress(text: "192.0.2.1", proxy: "10.0.0.1"))
        let other = judge("10.0.0.1", "10.0.0.1", forwarded: "for=192.0.2.2", forwardedFor: "192.0.2.1")
        #expect(other == ClientAddress(text: "10.0.0.1", ignored: .conflicting))
    }
}
