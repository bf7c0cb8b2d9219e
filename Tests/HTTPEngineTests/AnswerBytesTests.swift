import Testing

@testable import HTTPEngine

@Suite("Answers' bytes")
struct AnswerBytesTests {
    @Test(
        "dates are those of RFC 9110",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (1_796_025_599, "Mon, 30 Nov 2026 07:59:59 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ])
    func dates(_ second: Int, _ text: String) {
        let date = HTTPDate()
        date.write(second: second)
        #expect(String(decoding: date.date, as: UTF8.self) == text)
    }

    @Test(
        "numbers are written digit for digit",
        arguments: [0, 9, 10, 99, 100, 65_536, 999_999_999_999, Int.max])
    func decimals(_ value: Int) {
        let output = OutputBuffer()
        output.append("x")
        output.append(decimal: value)
        #expect(String(decoding: output.bytes, as: UTF8.self) == "x\(value)")
    }

    @Test(
        "hexadecimal numbers have no leading zeros, or all",
        arguments: [0, 1, 15, 16, 255, 65_536, UInt32.max])
    func hexadecimals(_ value: UInt32) {
        let output = OutputBuffer()
        // Up to three bytes before the buffer's end.
        for _ in 1..<16_384 { output.append("01234567") }
        output.append("01234")
        let start = output.count
        output.append(hexadecimal: value, padded: false)
        output.append(",")
        output.append(hexadecimal: value, padded: true)
        let plain = String(value, radix: 16)
        let padded = String(repeating: "0", count: 8 - plain.utf8.count) + plain
        #expect(String(decoding: output.bytes[start...], as: UTF8.self) == "\(plain),\(padded)")
    }

    @Test("buffers keep their bytes however they are filled and emptied")
    func buffers() {
        var buffer = ByteBuffer()
        var model: [UInt8] = []
        for round in 0..<500 {
            let bytes = (0..<(round * 7 % 300)).map { UInt8(truncatingIfNeeded: $0 + round) }
            bytes.withUnsafeBytes { buffer.append($0) }
            model += bytes
            let count = min(model.count, round * 13 % 280)
            buffer.removeFirst(count)
            model.removeFirst(count)
            #expect(Array(buffer.bytes) == model)
        }
        buffer.release()
        #expect(buffer.isEmpty && buffer.heldBytes == 0)
    }

    @Test("a value can't end its line")
    func injection() {
        let writer = ResponseWriter(output: OutputBuffer(), date: HTTPDate())
        writer.prepare(for: nil, idPrefix: 1, serial: 2, keepsAlive: true, mayPark: false)
        writer.begin(status: 299)
        writer.field("X", "a\r\nSet-Cookie: b\u{0}\u{7f}")
        writer.end()
        let text = String(decoding: writer.output.bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 299 \r\nDate: "))
        #expect(text.contains("\r\nX-Request-Id: 0000000100000002\r\nX: a  Set-Cookie: b  \r\n"))
        #expect(text.hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
    }

    @Test(
        "a line can be made in parts, with numbers of either sign",
        arguments: [0, 15, -15, Int.max, -Int.max])
    func parts(_ value: Int) {
        let writer = ResponseWriter(output: OutputBuffer(), date: HTTPDate())
        writer.prepare(for: nil, idPrefix: 1, serial: 2, keepsAlive: true, mayPark: false)
        writer.begin(status: 200)
        writer.raw("Cache-Status: here; ttl=")
        writer.raw(decimal: value)
        writer.raw("\r\n")
        writer.end()
        let text = String(decoding: writer.output.bytes, as: UTF8.self)
        #expect(text.contains("\r\nCache-Status: here; ttl=\(value)\r\nContent-Length: 0\r\n\r\n"))
    }

    @Test("204 and 304 have no length and no body", arguments: [204, 304])
    func bodiless(_ status: Int) {
        let writer = ResponseWriter(output: OutputBuffer(), date: HTTPDate())
        writer.prepare(for: nil, idPrefix: 1, serial: 2, keepsAlive: false, mayPark: false)
        writer.begin(status: status)
        writer.end(body: "x")
        let text = String(decoding: writer.output.bytes, as: UTF8.self)
        #expect(text.hasSuffix("\r\nConnection: close\r\n\r\n"))
        #expect(!text.contains("Content-Length"))
    }
}
