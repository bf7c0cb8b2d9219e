import Testing

@testable import HTTPEngine

@Suite("Body reader")
struct BodyReaderTests {
    private static let counted = "Content-Length: "
    private static let chunked = "Transfer-Encoding: chunked"

    /// Feeds `text` in pieces of `size` bytes, behind a head with that field.
    private func read(
        _ text: String, behind field: String = chunked, size: Int, limit: Int = 100
    ) -> (BodyReader.Progress, String, Int) {
        let parser = HTTPParser(fieldLimit: 4)
        let request = HTTPRequest(fieldLimit: 4, idPrefix: 0)
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n".utf8)
        let fault = head.withUnsafeBytes { parser.parse($0, into: request) }
        #expect(fault == nil)
        let reader = BodyReader(request: request, after: parser.state, limit: limit)
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let piece = Array(bytes[index..<min(bytes.count, index + size)])
            switch piece.withUnsafeBytes({ reader.take($0) }) {
            case .incomplete: index += piece.count
            case .complete(let taken):
                return (.complete(taken: taken), String(decoding: request.body, as: UTF8.self), index + taken)
            case .refused(let fault): return (.refused(fault), "", index)
            }
        }
        return (.incomplete, "", index)
    }

    @Test("puts chunks together from pieces of any size, and leaves what stands behind them")
    func pieces() {
        let text = "3\r\nabc\r\n0A;x=\"y;z\";u\r\n0123456789\r\n1\r\n\r\r\n000\r\nT: v\r\nU:\r\n\r\n"
        for size in 1...text.utf8.count + 5 {
            let (progress, data, taken) = read(text + "GET /", size: size)
            guard case .complete = progress else {
                Issue.record("\(progress) with pieces of \(size)")
                return
            }
            #expect(data == "abc0123456789\r")
            #expect(taken == text.utf8.count)
        }
    }

    @Test("counts a length over pieces of any size, and leaves what stands behind it")
    func countedPieces() {
        let text = "\r\n0\r\n\r\n :\n"
        for size in 1...text.utf8.count + 5 {
            let (progress, data, taken) = read(
                text + "GET /", behind: Self.counted + String(text.utf8.count), size: size)
            guard case .complete = progress else {
                Issue.record("\(progress) with pieces of \(size)")
                return
            }
            #expect(data == text)
            #expect(taken == text.utf8.count)
        }
    }

    @Test(
        "refuses what breaks the grammar or a bound",
        arguments: [
            ("\r\n", HTTPFault.malformedBody), ("g\r\n", .malformedBody), ("0x2\r\n", .malformedBody),
            ("+2\r\n", .malformedBody), ("-1\r\n", .malformedBody), (" 2\r\n", .malformedBody),
            ("2 \r\n", .malformedBody), ("2\t\r\n", .malformedBody), ("2\n", .malformedBody),
            ("2\r\r", .malformedBody), ("2;\r\n", .malformedBody), ("2; a\r\n", .malformedBody),
            ("2;a\n", .malformedBody), ("2;a=\"\n", .malformedBody),
            ("2;a=\"\u{7F}\"\r\n", .malformedBody), ("2;\u{0}\r\n", .malformedBody),
            ("2\r\nabc", .malformedBody), ("2\r\nab\n", .malformedBody),
            ("2\r\nab\r\r", .malformedBody), ("0\r\n T: v\r\n\r\n", .malformedBody),
            ("0\r\nT\r\n\r\n", .malformedBody), ("0\r\n\n", .malformedBody),
            ("0\r\nT: v\n\r\n", .malformedBody), ("0\r\nT: v\r\n\n", .malformedBody),
            ("0\r\nT: v\r\n x\r\n\r\n", .malformedBody), ("0\r\nT:\r\n\tx\r\n\r\n", .malformedBody),
            ("0\r\n: v\r\n\r\n", .malformedBody), ("0\r\nT : v\r\n\r\n", .malformedBody),
            ("0\r\nT: \u{1}\r\n\r\n", .malformedBody), ("0\r\n\rX", .malformedBody),
            ("0\r\nTransfer-Encoding: chunked\r\n\r\n", .malformedBody),
            ("10000000000000002\r\n", .malformedBody),
            ("FFFFFFFFFFFFFFFF\r\n", .bodyTooLarge), ("65\r\n", .bodyTooLarge),
            ("64\r\n\(String(repeating: "a", count: 100))\r\n1\r\n", .bodyTooLarge),
            (String(repeating: "0", count: 2049), .malformedBody),
            ("1;\(String(repeating: "a", count: 2049))", .malformedBody),
            ("0\r\nT: \(String(repeating: "a", count: 2049))", .malformedBody),
            ("0\r\n\(String(repeating: "T:\r\n", count: 512))", .malformedBody),
            (String(repeating: "1;\(String(repeating: "a", count: 40))\r\nx\r\n", count: 60), .malformedBody),
            (
                String(repeating: "A;\(String(repeating: "a", count: 240))\r\n0123456789\r\n", count: 10),
                .malformedBody
            ),
        ])
    func refused(_ text: String, _ fault: HTTPFault) {
        for size in [1, 2, 3, 4096] {
            let progress = read(text, size: size).0
            #expect(progress == .refused(fault), "pieces of \(size)")
        }
    }

    @Test("takes exactly the limit")
    func limit() {
        let (progress, data, _) = read("64\r\n\(String(repeating: "a", count: 100))\r\n0\r\n\r\n", size: 7)
        guard case .complete = progress else {
            Issue.record("\(progress)")
            return
        }
        #expect(data.utf8.count == 100)
    }

    @Test("takes any number of plain chunks, since each brings data")
    func smallChunks() {
        let text = String(repeating: "0001\r\nx\r\n", count: 5000) + "0\r\n\r\n"
        for size in [1, 10, 4096, text.utf8.count] {
            let (progress, data, taken) = read(text, size: size, limit: 5000)
            guard case .complete = progress else {
                Issue.record("\(progress) with pieces of \(size)")
                return
            }
            #expect(data.utf8.count == 5000)
            #expect(taken == text.utf8.count)
        }
    }

    @Test("lets no trailer change what the head said")
    func trailers() {
        let text = "1\r\nx\r\n0\r\nContent-Length: 9\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"
        for size in [1, 7, 4096] {
            let (progress, data, taken) = read(text + "GET /", size: size)
            guard case .complete = progress else {
                Issue.record("\(progress) with pieces of \(size)")
                return
            }
            #expect(data == "x")
            #expect(taken == text.utf8.count)
        }
    }

    @Test("comes to the same end however mutated chunks are cut", arguments: [1, 2, 3])
    func mutations(seed: UInt64) {
        var random = SplitMix(state: seed)
        let seeds = [
            "3\r\nabc\r\n0A;x=\"y\"\r\n0123456789\r\n0\r\nT: v\r\nU:\r\n\r\nGET", "60;a\r\n",
            "1\r\n\r\r\n0;b=c\r\n\r\n",
        ]
        for _ in 0..<1000 {
            var bytes = Array(seeds[random.below(seeds.count)].utf8)
            for _ in 0...random.below(3) {
                let place = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[place] = Array("\r\n :;\t0f\u{0}".utf8)[random.below(9)]
                case 1: bytes.insert(bytes[random.below(bytes.count)], at: place)
                default: bytes.remove(at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let whole = read(text, size: 4096)
            for size in 1...4 {
                let (progress, data, taken) = read(text, size: size)
                switch (whole.0, progress) {
                case (.complete, .complete):
                    #expect(data == whole.1 && taken == whole.2, "\(text.debugDescription) by \(size)")
                default: #expect(progress == whole.0, "\(text.debugDescription) by \(size)")
                }
            }
        }
    }
}
