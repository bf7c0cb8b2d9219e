import Testing

@testable import HTTPEngine

@Suite("Head guard")
struct HeadGuardTests {
    static let limits = HeadGuard.Limits(head: 200, fields: 4, target: 40)
    static let good = "GET /a?b HTTP/1.1\r\nHost: a\r\nX:\tb\u{80}\r\n\r\n"

    private func check(_ text: String) -> HeadGuard.Verdict {
        var guardian = HeadGuard()
        return Array(text.utf8).withUnsafeBytes { guardian.check($0, limits: Self.limits) }
    }

    @Test("a whole head ends at its empty line, with whatever stands behind it")
    func complete() {
        let count = Self.good.utf8.count
        #expect(check(Self.good) == .complete(start: 0, end: count))
        #expect(check(Self.good + "GET") == .complete(start: 0, end: count))
        #expect(check("\r\n\r\n" + Self.good) == .complete(start: 4, end: count + 4))
    }

    @Test("each byte is decided once, wherever the pieces are cut")
    func pieces() {
        let bytes = Array(("\r\n" + Self.good).utf8)
        for first in 1..<bytes.count {
            for second in first...bytes.count {
                var guardian = HeadGuard()
                let verdicts = [first, second, bytes.count].map { end in
                    bytes[..<end].withUnsafeBytes { guardian.check($0, limits: Self.limits) }
                }
                #expect(verdicts[0] == .incomplete)
                if second < bytes.count { #expect(verdicts[1] == .incomplete) }
                if second < bytes.count { #expect(verdicts[2] == .complete(start: 2, end: bytes.count)) }
            }
        }
    }

    @Test(
        "what is refused for its length or its form is refused for the same reason, wherever it is cut",
        arguments: [
            ("GET /" + String(repeating: "a", count: 60) + "#b HTTP/1.1\r\n", HTTPFault.targetTooLong),
            ("GET / " + String(repeating: "a ", count: 40) + "\r\n", .targetTooLong),
            ("GET /" + String(repeating: "a", count: 60) + "\u{0} HTTP/1.1\r\n", .targetTooLong),
            ("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 200) + "\u{0}\r\n", .headTooLarge),
            ("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 300) + "\r\n\r\n", .headTooLarge),
            ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 40), .tooManyFields),
            (String(repeating: "\r\n", count: 5) + "GET / HTTP/1.1\r\n", .malformedRequestLine),
        ])
    func reasons(text: String, fault: HTTPFault) {
        let bytes = Array(text.utf8)
        for cut in 1...bytes.count {
            var guardian = HeadGuard()
            var verdict = HeadGuard.Verdict.incomplete
            for end in [cut, bytes.count] where verdict == .incomplete {
                verdict = bytes[..<end].withUnsafeBytes { guardian.check($0, limits: Self.limits) }
            }
            #expect(verdict == .refused(fault), "cut at \(cut)")
        }
    }

    @Test("empty lines that come one by one are counted like those that come at once")
    func emptyLines() {
        var guardian = HeadGuard()
        let line: [UInt8] = [13, 10]
        for _ in 0..<4 {
            let verdict = line.withUnsafeBytes { guardian.check($0, limits: Self.limits) }
            #expect(verdict == .incomplete && guardian.holdsOnlyEmptyLines(of: 2))
            guardian.dropEmptyLines()
        }
        let verdict = line.withUnsafeBytes { guardian.check($0, limits: Self.limits) }
        #expect(verdict == .refused(.malformedRequestLine))
    }

    @Test("every control byte but a tab in a value is refused, at every place")
    func controls() {
        let bytes = Array(Self.good.utf8)
        for byte in (UInt8(0)..<32).map(\.self) + [127] {
            for place in bytes.indices where bytes[place] != 13 && bytes[place] != 10 {
                var changed = bytes
                changed[place] = byte
                var guardian = HeadGuard()
                let verdict = changed.withUnsafeBytes { guardian.check($0, limits: Self.limits) }
                if byte == 9, verdict == .complete(start: 0, end: bytes.count) { continue }
                guard case .refused = verdict else {
                    Issue.record("byte \(byte) at \(place): \(verdict)")
                    return
                }
            }
        }
    }

    @Test(
        "lines must be lines",
        arguments: [
            ("GET / HTTP/1.1\nHost: a\r\n\r\n", HTTPFault.malformedRequestLine),
            ("GET / HTTP/1.1\rHost: a\r\n\r\n", .malformedRequestLine),
            ("GET / HTTP/1.1\r\nHost: a\n\r\n", .malformedField),
            ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .malformedField),
            ("GET / HTTP/1.1\r\nHost: a\r\n\tb\r\n\r\n", .malformedField),
            ("GET / HTTP/1.1\r\n: a\r\n\r\n", .malformedField),
            ("GET  / HTTP/1.1\r\n", .malformedRequestLine),
            ("GET /  HTTP/1.1\r\n", .malformedRequestLine), ("GET / HTTP/1.1 \r\n", .malformedRequestLine),
            (" GET / HTTP/1.1\r\n", .malformedRequestLine), ("GET /\r\n", .malformedRequestLine),
            ("GET /#a HTTP/1.1\r\n", .malformedRequestLine),
            ("GET / HTTP/1.10\r\n", .malformedRequestLine), ("GET / http/1.1\r\n", .malformedRequestLine),
            ("SOURCE / ICE/1.0\r\n", .malformedRequestLine), ("GET / RTSP/1.0\r\n", .malformedRequestLine),
            ("\u{16}\u{3}\u{1}", .malformedRequestLine),
            ("{\"a\"", .malformedRequestLine), ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", .malformedRequestLine),
            ("\r\n\r\n\r\n\r\n\r\n", .malformedRequestLine),
            ("GET /\(String(repeating: "a", count: 40)) HTTP/1.1\r\n", .targetTooLong),
            ("GET /\(String(repeating: "a", count: 60))", .targetTooLong),
            ("GET / HTTP/1.1\r\na:b\r\na:b\r\na:b\r\na:b\r\na:b\r\n", .tooManyFields),
            ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 200))", .headTooLarge),
        ])
    func refused(_ text: String, _ fault: HTTPFault) {
        #expect(check(text) == .refused(fault))
    }
}
