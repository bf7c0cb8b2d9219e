import Testing

@testable import HTTPEngine

@Suite("Head parser")
struct HTTPParserTests {
    private func parse(_ line: String, _ fields: String = "") -> HTTPFault? {
        let parser = HTTPParser(fieldLimit: 4)
        let request = HTTPRequest(fieldLimit: 4, idPrefix: 0)
        let head = Array("\(line)\r\nHost: a\r\n\(fields)\r\n".utf8)
        return head.withUnsafeBytes { parser.parse($0, into: request) ?? MessageRules.apply(to: request) }
    }

    @Test(
        "refuses request lines that pass the guard and ask for what isn't spoken here",
        arguments: [
            ("GET / HTTP/1.2", HTTPFault.versionNotSupported), ("GET / HTTP/2.0", .versionNotSupported),
            ("GET / HTTP/0.9", .versionNotSupported), ("GET / HTTP/x.1", .versionNotSupported),
            ("GET / HTTP/1,1", .versionNotSupported), ("PRI * HTTP/2.0", .versionNotSupported),
            ("GET /\u{e9} HTTP/1.1", .malformedRequestLine), ("GET a HTTP/1.1", .malformedRequestLine),
            ("GET *x HTTP/1.1", .malformedRequestLine), ("GET ftp://a/ HTTP/1.1", .malformedRequestLine),
            ("GET http://a@b/ HTTP/1.1", .malformedHost), ("PLAY / HTTP/1.1", .malformedRequestLine),
            ("get / HTTP/1.1", .methodNotSupported), ("FOO / HTTP/1.1", .methodNotSupported),
            ("CONNECT a:80 HTTP/1.1", .methodNotSupported),
        ])
    func requestLines(_ line: String, _ fault: HTTPFault) {
        #expect(parse(line) == fault)
    }

    @Test(
        "takes no transfer coding but exactly chunked",
        arguments: [
            ("Transfer-Encoding: gzip\r\n", HTTPFault.malformedFraming),
            ("Transfer-Encoding: xchunked\r\n", .malformedFraming),
            ("Transfer-Encoding: chunked, chunked\r\n", .malformedFraming),
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .malformedFraming),
            ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", .malformedFraming),
            ("Transfer-Encoding: gzip, chunked\r\n", .codingNotSupported),
            ("Transfer-Encoding:\r\n", .codingNotSupported),
        ])
    func codings(_ fields: String, _ fault: HTTPFault) {
        #expect(parse("POST / HTTP/1.1", fields) == fault)
    }

    @Test("takes chunked in HTTP/1.1 alone")
    func oldVersion() {
        let fields = "Transfer-Encoding: Chunked\r\n"
        #expect(parse("POST / HTTP/1.1", fields) == nil)
        #expect(parse("POST / HTTP/1.0", fields) == .malformedFraming)
    }
}
