import CacheLayer
import Testing

@Suite("Token digests")
struct TokenDigestTests {
    private static func digest(_ text: String) -> TokenDigest {
        Array(text.utf8).withUnsafeBytes { TokenDigest(of: $0) }
    }

    @Test(
        "they are SHA-256 as FIPS 180-4 has it",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            ("abc", "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
        ])
    func vectors(text: String, hexadecimal: String) {
        #expect(TokenDigest(hexadecimal: hexadecimal) == Self.digest(text))
    }

    @Test("one bit anywhere makes another one")
    func bits() throws {
        let digits = Array("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let good = Self.digest("abc")
        for place in digits.indices {
            var other = digits
            other[place] = other[place] == "0" ? "1" : "0"
            #expect(try #require(TokenDigest(hexadecimal: String(other))).matches(good) == false)
        }
    }

    @Test(
        "other texts are no digest",
        arguments: [
            "", "ba", String(repeating: "a", count: 63), String(repeating: "a", count: 65),
            String(repeating: "g", count: 64), String(repeating: "ä", count: 32),
        ])
    func malformed(text: String) {
        #expect(TokenDigest(hexadecimal: text) == nil)
    }
}
