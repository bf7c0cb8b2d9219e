import Testing

@testable import CacheLayer

@Suite("Calls without the store")
struct OfflineCallsTests {
    private let start = ContinuousClock.now
    private let march = StateSamples.month

    private func at(_ seconds: Int64) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test("an hour slides: exactly an hour ago is over")
    func hour() {
        var calls = OfflineCalls()
        calls.add(in: march, at: at(0))
        calls.add(in: march, at: at(600))
        #expect(calls.lastHour(at: start.advanced(by: .milliseconds(3_599_999))) == 2)
        #expect(calls.lastHour(at: at(3_600)) == 1)
        #expect(calls.lastHour(at: start.advanced(by: .milliseconds(4_199_999))) == 1)
        #expect(calls.lastHour(at: at(4_200)) == 0)
        #expect(calls.wait(for: 2, at: at(1_000)) == .seconds(2_600))
        #expect(calls.wait(for: 1, at: at(1_000)) == .seconds(3_200))
        #expect(calls.wait(for: 3, at: at(1_000)) == .zero)
    }

    @Test("the month's total begins anew with a month and never goes back to an earlier one")
    func months() {
        var calls = OfflineCalls()
        calls.add(in: march, at: at(0))
        calls.add(in: march, at: at(1))
        #expect(calls.calls(in: march) == 2 && calls.calls(in: march.next) == 0)
        calls.add(in: march.next, at: at(2))
        #expect(calls.calls(in: march.next) == 1 && calls.lastHour(at: at(2)) == 3)
        calls.add(in: march, at: at(3))
        #expect(calls.calls(in: march.next) == 2 && calls.calls(in: march) == 2)
        #expect(calls.total == Testimony.Offline(month: march.next.description, calls: 2))
    }

    @Test("what was told isn't owed; what came since is")
    func told() {
        var calls = OfflineCalls()
        #expect(!calls.isUntold && calls.total == nil)
        calls.add(in: march, at: at(0))
        guard let total = calls.total else { return }
        #expect(calls.isUntold)
        calls.add(in: march, at: at(1))
        calls.tell(total)
        #expect(calls.isUntold)
        calls.tell(Testimony.Offline(month: march.description, calls: 2))
        #expect(!calls.isUntold)
        calls.takeBack()
        #expect(calls.calls == 2)
        calls.add(in: march, at: at(2))
        calls.takeBack()
        #expect(calls.calls == 2 && calls.lastHour(at: at(2)) == 2)
    }

    @Test(
        "many entries are merged to the later instant: counted longer, never shorter",
        arguments: [128, 129, 5_000])
    func merged(count: Int) {
        var calls = OfflineCalls()
        for number in 0..<count {
            calls.add(in: march, at: start.advanced(by: .milliseconds(number * 100)))
            #expect(calls.recent.count <= OfflineCalls.mostRecent)
        }
        let last = start.advanced(by: .milliseconds((count - 1) * 100))
        #expect(calls.lastHour(at: last) == Int64(count))
        let half = start.advanced(by: .milliseconds(3_600_000 + count / 2 * 100))
        #expect(calls.lastHour(at: half) >= Int64(count - count / 2 - 1))
        #expect(calls.lastHour(at: last.advanced(by: .seconds(3_600))) == 0)
    }

    @Test("survives a file: what was an hour old is over, an unknown time is none")
    func saved() {
        var calls = OfflineCalls()
        calls.add(in: march, at: at(0))
        calls.add(in: march, at: at(1_000))
        let saved = calls.saved(at: at(1_500))
        for (elapsed, expected) in [(Int64(0), Int64(2)), (2_099, 2), (2_100, 1), (3_100, 0)] {
            let other = ContinuousClock.now.advanced(by: .seconds(77))
            let again = OfflineCalls(saved, elapsed: .seconds(elapsed), now: other)
            #expect(again.lastHour(at: other) == expected)
            #expect(again.calls == 2 && again.isUntold)
        }
    }
}
