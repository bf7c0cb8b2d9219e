import CacheLayer
import Testing

@testable import FXGateway

@Suite("An answer as lines for people") struct JSONOutlineTests {
    private static func lines(_ text: String) throws -> [String] {
        JSONOutline(try JSONTree.parse(Array(text.utf8))).lines
    }

    @Test("values stand beside their names, objects below them, lists of objects in a table")
    func form() throws {
        let lines = try Self.lines(
            #"{"ready":true,"rate":0.10,"degraded":[],"store":{"kind":"redis"},"rows":[{"a":1,"b":"x"},{"a":22,"c":null}]}"#
        )
        #expect(
            lines == [
                "ready     yes", "rate      0.10", "degraded  none", "store:", "  kind  redis", "rows:",
                "  a   b  c", "  --  -  -", "  1   x", "  22     -",
            ])
    }

    @Test("what would move a terminal's cursor or turn its text is shown, not done")
    func hostile() throws {
        #expect(
            try Self.lines(#"{"a":"x\u001b[2J\ny\u202e\u009b"}"#) == [#"a  x\u{1b}[2J\u{a}y\u{202e}\u{9b}"#])
        #expect(try Self.lines(#"{"name":"São Tomé"}"#) == ["name  São Tomé"])
    }
}
