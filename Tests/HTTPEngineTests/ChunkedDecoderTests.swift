import Testing

@testable import HTTPEngine

@Suite("Chunked bodies")
struct ChunkedDecoderTests {
    /// Feeds `text` in pieces of `size` bytes.
    private func decode(_ text: String, size: Int, limit: Int = 100) -> (ChunkedDecoder.Progress, String, Int)
    {
        var decoder = ChunkedDecoder(limit: limit)
        var data: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let piece = Array(bytes[index..<min(bytes.count, index + size)])
            let progress = piece.withUnsafeBytes { decoder.take($0) { data.append(contentsOf: $0) } }
            if case .complete(let taken) = progress {
                return (progress, String(decoding: data, as: UTF8.self), index + taken)
            }
            if case .refused = progress { return (progress, "", index) }
            index += piece.count
        }
        return (.incomplete, String(decoding: data, as: UTF8.self), index)
    }

    @Test("are put together from pieces of any size")
    func pieces() {
        let text = "3\r\nabc\r\n0A;x=\"y\"\r\n0123456789\r\n1\r\n\r\r\n000\r\nT: v\r\nU:\r\n\r\n"
        for size in 1...text.utf8.count + 5 {
            let (progress, data, taken) = decode(text + "GET /", size: size)
            guard case .complete = progress else {
                Issue.record("\(progress) with pieces of \(size)")
                return
            }
            #expect(data == "abc0123456789\r")
            #expect(taken == text.utf8.count)
        }
    }

    @Test(
        "that break the grammar or a bound are refused",
        arguments: [
            ("\r\n", HTTPFault.malformedBody), ("g\r\n", .malformedBody), ("0x2\r\n", .malformedBody),
            ("+2\r\n", .malformedBody), ("-1\r\n", .malformedBody), (" 2\r\n", .malformedBody),
            ("2 \r\n", .malformedBody), ("2\n", .malformedBody), ("2\r\r", .malformedBody),
            ("2;a\n", .malformedBody),
            ("2;\u{0}\r\n", .malformedBody), ("2\r\nabc", .malformedBody), ("2\r\nab\n", .malformedBody),
            ("2\r\nab\r\r", .malformedBody), ("0\r\n T: v\r\n\r\n", .malformedBody),
            ("0\r\nT\r\n\r\n", .malformedBody),
            ("0\r\nT: v\n\r\n", .malformedBody), ("0\r\n\rX", .malformedBody),
            ("00000000000000002", .malformedBody),
            ("FFFFFFFFFFFFFFFF\r\n", .bodyTooLarge), ("65\r\n", .bodyTooLarge),
            ("64\r\n\(String(repeating: "a", count: 100))\r\n1\r\n", .bodyTooLarge),
            ("1;\(String(repeating: "a", count: 2049))", .malformedBody),
            ("0\r\nT: \(String(repeating: "a", count: 2049))", .malformedBody),
        ])
    func refused(_ text: String, _ fault: HTTPFault) {
        for size in [1, 2, 3, 4096] { #expect(decode(text, size: size).0 == .refused(fault)) }
    }

    @Test("of exactly the limit are taken")
    func limit() {
        let (progress, data, _) = decode("64\r\n\(String(repeating: "a", count: 100))\r\n0\r\n\r\n", size: 7)
        guard case .complete = progress else {
            Issue.record("\(progress)")
            return
        }
        #expect(data.utf8.count == 100)
    }
}
