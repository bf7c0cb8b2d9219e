import Dispatch
import Testing

@testable import FXGateway

@Suite("Allowance of a client")
struct AllowanceTests {
    private static let second: Int64 = 1_000_000_000

    /// Takes what may be taken at one instant, at most `most`.
    private func taken(_ allowance: Allowance, _ wholeAt: inout Int64, at now: Int64, most: Int = 10_000)
        -> Int
    {
        for count in 0..<most {
            guard case .admitted(let next, _, _) = allowance.decide(wholeAt: wholeAt, at: now) else {
                return count
            }
            wholeAt = next
        }
        return most
    }

    @Test(
        "an idle client may make the whole of it at once, and not one more",
        arguments: [1, 2, 7, 60, 600, 999, 1_001])
    func whole(perMinute: Int) {
        var wholeAt = Allowance.whole
        #expect(taken(Allowance(perMinute: perMinute), &wholeAt, at: 5) == perMinute)
    }

    @Test(
        "a request comes back after its share of a minute, not a nanosecond before",
        arguments: [(1, 60_000_000_000), (7, 8_571_428_572), (60, 1_000_000_000), (600, 100_000_000)])
    func share(perMinute: Int, share: Int64) {
        let allowance = Allowance(perMinute: perMinute)
        var wholeAt = Allowance.whole
        _ = taken(allowance, &wholeAt, at: 0)
        #expect(allowance.decide(wholeAt: wholeAt, at: 0) == .refused(wait: share))
        #expect(allowance.decide(wholeAt: wholeAt, at: share - 1) == .refused(wait: 1))
        var later = wholeAt
        #expect(taken(allowance, &later, at: share) == 1)
    }

    @Test("all of it is there again after a minute, and never more", arguments: [1, 7, 60, 600])
    func wholeAgain(perMinute: Int) {
        let allowance = Allowance(perMinute: perMinute)
        var wholeAt = Allowance.whole
        _ = taken(allowance, &wholeAt, at: 0)
        let whole = wholeAt
        #expect(whole >= 60 * Self.second && whole < 60 * Self.second + Int64(perMinute))
        var early = whole
        #expect(taken(allowance, &early, at: whole - 1) == perMinute - 1)
        var late = whole
        #expect(taken(allowance, &late, at: whole + 3_600 * Self.second) == perMinute)
    }

    @Test("what is told of the rest is what can be taken")
    func balance() {
        let allowance = Allowance(perMinute: 3)
        let now = 20 * Self.second - 1
        guard case .admitted(let first, 2, 20_000_000_000) = allowance.decide(wholeAt: .min, at: 0),
            case .admitted(let second, 1, 20_000_000_000) = allowance.decide(wholeAt: first, at: 0),
            case .admitted(var wholeAt, 0, 1) = allowance.decide(wholeAt: second, at: now)
        else {
            Issue.record("the rest isn't what was expected")
            return
        }
        #expect(taken(allowance, &wholeAt, at: now) == 0)
        #expect(taken(allowance, &wholeAt, at: now + 1) == 1)
    }

    @Test("in no minute after the first more than the allowance comes back, however it is asked for")
    func sustained() {
        var numbers = SystemRandomNumberGenerator()
        for perMinute in [1, 7, 100] {
            let allowance = Allowance(perMinute: perMinute)
            var wholeAt = Allowance.whole
            var admitted = taken(allowance, &wholeAt, at: 0)
            var now: Int64 = 0
            while now < 600 * Self.second {
                now += Int64.random(in: 0...(90 * Self.second / Int64(perMinute)), using: &numbers)
                if case .admitted(let next, _, _) = allowance.decide(wholeAt: wholeAt, at: now) {
                    wholeAt = next
                    admitted += 1
                }
                #expect(Int64(admitted - perMinute) * 60 * Self.second <= Int64(perMinute) * now)
            }
        }
    }

    @Test("many threads together get exactly the allowance")
    func together() {
        let cell = AllowanceCell(Allowance(perMinute: 5_000))
        let counters = ClientCounters()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<2_500 {
                switch cell.take(at: 1_000) {
                case .admitted: counters.countRequest(of: 1)
                case .refused: counters.countLimited(of: 1)
                }
            }
        }
        #expect(counters.requests(of: 1) == 5_000)
        #expect(counters.limited(of: 1) == 5_000)
    }
}
