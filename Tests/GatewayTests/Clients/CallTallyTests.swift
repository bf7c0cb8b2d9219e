import Testing

@testable import FXGateway

@Suite("Shares of calls")
struct CallTallyTests {
    @Test("parts add up to the calls exactly, whatever the number of those who share one")
    func exact() {
        var tally = CallTally()
        for call in 0..<5_000 {
            let count = call * 7_919 % 259
            tally.add(call % 3 == 0 ? "latest" : "history", causedBy: Array(0..<count))
            #expect(tally.shares.values.reduce(0, +) == tally.calls * CallTally.whole)
        }
        #expect(tally.classes.values.reduce(0, +) == tally.calls)
        #expect(tally.calls == 5_000)
    }

    @Test("what can't be divided goes to each in turn")
    func even() {
        var tally = CallTally()
        for _ in 0..<3 { tally.add("latest", causedBy: [9, 4, 7]) }
        #expect(tally.shares == [4: 1_000_000, 7: 1_000_000, 9: 1_000_000])
        tally.add("latest", causedBy: [9, 4, 7])
        #expect(tally.shares == [4: 1_333_334, 7: 1_333_333, 9: 1_333_333])
    }

    @Test("a call without a cause is nobody's")
    func nobody() {
        var tally = CallTally()
        tally.add("account", causedBy: [])
        #expect(tally.shares == [ClientNames.none: 1_000_000])
        #expect(tally.classes == ["account": 1])
    }

    @Test(
        "shares are shown as exact decimal numbers",
        arguments: [
            (0, "0"), (1, "0.000001"), (999_999, "0.999999"), (1_000_000, "1"), (1_000_001, "1.000001"),
            (12_500_000, "12.5"), (100_000_000, "100"), (3_333_333, "3.333333"),
        ])
    func text(millionths: Int64, shown: String) {
        #expect(CallTally.text(millionths) == shown)
    }
}
