import CacheLayer
import Testing

@testable import FXGateway

@Suite("Colours and weight")
struct PaintTests {
    @Test(
        "are there only for somebody at a terminal who wants them",
        arguments: [
            (true, ["TERM": "xterm"], OutputForm.table, true), (false, ["TERM": "xterm"], .table, false),
            (true, ["TERM": "xterm"], .json, false), (true, ["TERM": "dumb"], .table, false),
            (true, [:], .table, false), (true, ["TERM": ""], .table, false),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], .table, false),
            (true, ["TERM": "xterm", "NO_COLOR": "0"], .table, false),
            (true, ["TERM": "xterm", "NO_COLOR": ""], .table, true),
        ] as [(Bool, [String: String], OutputForm, Bool)])
    func rule(isTerminal: Bool, environment: [String: String], output: OutputForm, isOn: Bool) {
        #expect(Paint(isTerminal: isTerminal, environment: environment, output: output).isOn == isOn)
    }

    @Test("states have their colours, and nothing else has one")
    func cells() {
        let paint = Paint(isOn: true)
        #expect(paint.cell("fresh") == "\u{1B}[32mfresh\u{1B}[0m")
        #expect(paint.cell("stale") == paint.cell("late").replacing("late", with: "stale"))
        #expect(paint.cell("expired") == paint.cell("absent").replacing("absent", with: "expired"))
        #expect(Set(["fresh", "stale", "expired"].map { paint.cell($0).prefix(5) }).count == 3)
        for text in ["", "Fresh", "fresh_until", "USD", "refreshing", "12"] {
            #expect(paint.cell(text) == text)
        }
        for text in ["fresh", "stale", "expired"] { #expect(Paint.off.cell(text) == text) }
        #expect(Paint.off.heading("cache:") == "cache:")
    }

    @Test("every state of rates that there is has a colour")
    func everyState() {
        for state in [Freshness.fresh, .late, .stale, .expired] {
            #expect(Paint(isOn: true).cell("\(state)") != "\(state)", "\(state)")
        }
    }

    @Test("columns stand where they stand without paint, and names aren't painted")
    func outline() throws {
        let text = """
            {"state":"fresh","fresh":3,"cache":{"state":"stale"},
            "rows":[{"state":"expired","base":"EUR"},{"state":"fresh","base":"USD"}]}
            """
        let tree = try JSONTree.parse(Array(text.utf8))
        let plain = JSONOutline(tree).lines
        let painted = JSONOutline(tree, paint: Paint(isOn: true)).lines
        #expect(painted != plain)
        #expect(painted.map { $0.replacing(#/\x1B\[\d+m/#, with: "") } == plain)
        #expect(painted.contains("fresh  3"))
        #expect(painted.contains("\u{1B}[1mcache:\u{1B}[0m"))
        #expect(painted.contains { $0.contains("\u{1B}[31mexpired\u{1B}[0m  EUR") })
        #expect(painted.contains { $0.contains("\u{1B}[1mstate\u{1B}[0m") })
    }
}
