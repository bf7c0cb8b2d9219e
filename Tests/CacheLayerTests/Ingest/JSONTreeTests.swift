import Testing

@testable import CacheLayer

@Suite("A JSON document") struct JSONTreeTests {
    private func parse(_ text: String) throws(JSONFault) -> JSONTree {
        try JSONTree.parse(Array(text.utf8))
    }

    @Test(
        "keeps every digit of a number (U7)",
        arguments: [
            "0", "-0", "0.0", "1.10", "1e999", "1E+5", "1e-5", "6.0923e-05", "18446744073709551616",
            "1234567890123456789012345678901234567890", "0.1234567890123456789012345678901234567890",
        ])
    func keepsDigits(number: String) throws {
        #expect(try parse("{\"a\":\(number)}")["a"] == .number(number))
        #expect(try parse("[1,\(number),2]") == .array([.number("1"), .number(number), .number("2")]))
        #expect(try parse(number) == .number(number))
    }

    @Test(
        "is refused where json-c alone would let it through or change it (U7)",
        arguments: [
            "NaN", "-NaN", "Infinity", "-Infinity", "5.", ".5", "01", "-01", "+1", "1.e5", "-5.", "0x10",
            "1e",
            "1e+", "-", "--1", "1-2", "1.2.3", "1 2", "1x", "'x'", "Null", "TRUE", "tru", "nullnull", "true1",
            "\"\u{9}\"", "\"\n\"", "\"\\q\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800x\"", "\"\\ude00\"",
            "\"\\ud800\\u0041\"", "\"\\u0000\"", "/*c*/1", "1//c", "", " ", "\"a",
        ])
    func refusesTokens(value: String) {
        #expect(throws: JSONFault.malformed) { try parse("{\"a\":\(value)}") }
        #expect(throws: JSONFault.malformed) { try parse(value) }
    }

    @Test(
        "is refused if its structure is broken (U7, U8)",
        arguments: [
            "{'a':1}", "{a:1}", "{\"a\":1,}", "[1,]", "[,1]", "[1,,2]", "{,}", "{\"a\" 1}", "{\"a\"::1}",
            "{1:2}",
            "{\"a\":1", "[1", "{\"a\":1}}", "{}{}", "{}x", "{}\u{0}", "[1\u{c}]", "[\u{a0}1]", "\u{feff}{}",
            "[\"a\"1]",
            "{\"a\":1 \"b\":2}", ":", "1,2", "<html></html>",
        ])
    func refusesStructure(text: String) {
        #expect(throws: JSONFault.malformed) { try parse(text) }
    }

    @Test(
        "is refused with bad UTF-8: stray, overlong, surrogate, out of range, cut off (U7)",
        arguments: [
            [0xFF], [0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xE2, 0x82],
        ] as [[UInt8]])
    func refusesBadUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONFault.malformed) { try JSONTree.parse([quote] + bytes + [quote]) }
    }

    @Test("may be 32 levels deep, not 33; 10,000 levels end no process (C060)")
    func depth() throws {
        func nested(_ levels: Int, _ open: String, _ core: String, _ close: String) -> String {
            String(repeating: open, count: levels) + core + String(repeating: close, count: levels)
        }
        #expect(throws: Never.self) { try parse(nested(32, "[", "", "]")) }
        #expect(throws: JSONFault.tooDeep) { try parse(nested(33, "[", "", "]")) }
        #expect(throws: Never.self) { try parse(nested(32, "[", "1", "]")) }
        #expect(throws: Never.self) { try parse(nested(31, "{\"a\":", "{}", "}")) }
        #expect(throws: Never.self) { try parse(nested(32, "{\"a\":", "null", "}")) }
        #expect(throws: JSONFault.malformed) { try parse("]]]]" + nested(34, "[", "", "]")) }
        #expect(throws: JSONFault.tooDeep) { try parse(nested(32, "{\"a\":", "{}", "}")) }
        #expect(throws: JSONFault.tooDeep) { try parse(nested(10_000, "[", "1", "]")) }
        #expect(throws: JSONFault.tooDeep) { try parse(String(repeating: "[", count: 10_000)) }
        #expect(throws: JSONFault.tooDeep) { try parse(nested(10_000, "{\"a\":", "1", "}")) }
    }

    @Test(
        "is refused if a name comes twice, anywhere, also when spelled otherwise (U7)",
        arguments: [
            "{\"a\":1,\"a\":1}", "{\"a\":{\"b\":1,\"c\":{},\"b\":2}}", "[{\"x\":1,\"\\u0078\":2}]",
            "{\"a\":{\"b\":1},\"a\":{\"b\":1,\"c\":2}}",
        ])
    func duplicateNames(text: String) {
        #expect(throws: JSONFault.duplicateNames) { try parse(text) }
    }

    @Test("keeps the order of names, and colons in strings are only text")
    func order() throws {
        let tree = try parse(" { \"z\" : \"a:b\\\":\" , \"EUR:\" : [ ] , \"a\" : { \"z\" : null } } \r\n\t")
        #expect(
            tree
                == .object([
                    .init("z", .string("a:b\":")), .init("EUR:", .array([])),
                    .init("a", .object([.init("z", .null)])),
                ]))
        #expect(tree["a"]?["z"] == .null)
        #expect(tree["b"] == nil)
    }

    @Test("reads escapes and pairs of surrogates")
    func escapes() throws {
        let tree = try parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\u{1F4B6}\"")
        #expect(tree.string == "\"\\/\u{8}\u{c}\n\r\té😀💶")
    }

    @Test("reads single words and numbers as documents")
    func scalars() throws {
        #expect(try parse("null") == .null)
        #expect(try parse("true") == .bool(true))
        #expect(try parse("[false,{}]") == .array([.bool(false), .object([])]))
        #expect(try parse("12") == .number("12"))
    }

    @Test("comes back the same from its own encoding")
    func roundTrip() throws {
        let tree = JSONTree.object([
            .init("", .string("\u{1}\u{1f}\"\\/é💶\u{2028}")),
            .init("n", .array([.number("-0"), .number("1e-999"), .null, .bool(true), .bool(false)])),
            .init("o", .object([.init("a\"b", .array([]))])),
        ])
        #expect(try JSONTree.parse(tree.encoded) == tree)
        #expect(try JSONTree.parse(tree.encoded).encoded == tree.encoded)
    }

    @Test("survives any cut and any single changed byte (U8)")
    func mutations() {
        let text = Array(
            "{\"result\":\"success\",\"rates\":{\"EUR\":0.85137,\"JPY\":1.5e2},\"n\":[null,true,\"\\u20ac\"]}"
                .utf8)
        for count in 0..<text.count {
            #expect(throws: JSONFault.malformed) { try JSONTree.parse(Array(text[..<count])) }
        }
        var accepted = 0
        for place in text.indices {
            for byte in stride(from: UInt8(0), to: 255, by: 5) {
                var changed = text
                changed[place] = byte
                guard let tree = try? JSONTree.parse(changed) else { continue }
                accepted += 1
                #expect((try? JSONTree.parse(tree.encoded)) == tree)
            }
        }
        #expect(accepted > 100)
    }

    @Test("has the digest that the standard gives for its bytes (FIPS 180-4)")
    func digest() {
        let hexadecimal = ContentDigest(of: Array("abc".utf8)).bytes.map { String($0, radix: 16) }
        #expect(hexadecimal.prefix(4) == ["ba", "78", "16", "bf"])
        #expect(ContentDigest(of: []).bytes.prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
        #expect(hexadecimal.count == 32)
    }
}
