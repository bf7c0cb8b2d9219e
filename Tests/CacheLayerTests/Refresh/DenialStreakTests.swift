import Testing

@testable import CacheLayer

@Suite("Denials in a row")
struct DenialStreakTests {
    private let start = ContinuousClock.now

    @Test("the first five are failures, five seconds apart and then twice as long each, up to the interval")
    func backOff() {
        var streak = DenialStreak()
        var at = Duration.zero
        for expected in [5, 10, 20, 40, 60] {
            let meaning = note(.forbidden, in: &streak, at: at, limit: .seconds(60))
            #expect(meaning == .failure(wait: .seconds(expected)))
            at += .seconds(expected)
        }
    }

    @Test("an interval shorter than the first wait doesn't shorten it")
    func shortInterval() {
        var streak = DenialStreak()
        for _ in 0..<5 {
            #expect(note(.unchecked, in: &streak, limit: .seconds(1)) == .failure(wait: .seconds(5)))
        }
    }

    @Test("the sixth within ten minutes pauses all calls with the key; then the row begins anew")
    func sixth() {
        for (last, isPause) in [(600, true), (601, false)] {
            var streak = DenialStreak()
            for second in 0..<5 { _ = note(.forbidden, in: &streak, at: .seconds(second)) }
            let sixth = note(.forbidden, in: &streak, at: .seconds(last))
            #expect((sixth == .pause(.accessDenied)) == isPause, "\(sixth)")
            guard isPause else { continue }
            #expect(note(.forbidden, in: &streak, at: .seconds(last)) == .failure(wait: .seconds(5)))
        }
    }

    @Test("the ten minutes reach back from the newest one, not from the row's beginning")
    func window() {
        var streak = DenialStreak()
        for minute in 0..<5 { _ = note(.forbidden, in: &streak, at: .seconds(minute * 150)) }
        for second in [750, 751] {
            #expect(note(.forbidden, in: &streak, at: .seconds(second)) != .pause(.accessDenied))
        }
        // The third of the row is 452 s ago.
        #expect(note(.forbidden, in: &streak, at: .seconds(752)) == .pause(.accessDenied))
    }

    @Test("two 401 in a row are the key's refusal, with something else between them they aren't")
    func unauthorized() {
        var streak = DenialStreak()
        #expect(note(.unauthorized, in: &streak) == .failure(wait: .seconds(5)))
        #expect(note(.unauthorized, in: &streak) == .pause(.keyRejected))
        #expect(note(.unauthorized, in: &streak) == .failure(wait: .seconds(5)), "a new row")
        for between in [UpstreamVerdict.Denial.forbidden, .unchecked] {
            #expect(note(between, in: &streak) != .pause(.keyRejected))
            #expect(note(.unauthorized, in: &streak) != .pause(.keyRejected))
            streak.end()
        }
    }

    @Test("any other answer ends the row")
    func ended() {
        var streak = DenialStreak()
        for _ in 0..<4 {
            for _ in 0..<5 { #expect(note(.unchecked, in: &streak) != .pause(.accessDenied)) }
            streak.end()
        }
        _ = note(.unauthorized, in: &streak)
        streak.end()
        #expect(note(.unauthorized, in: &streak) == .failure(wait: .seconds(5)))
    }

    @Test("a probe that is denied goes on with the key's pause", arguments: UpstreamVerdict.Denial.allCases)
    func probe(denial: UpstreamVerdict.Denial) {
        var streak = DenialStreak()
        let meaning = streak.note(denial, isProbe: true, at: start, limit: .seconds(60))
        #expect(meaning == .pause(.keyRejected))
    }

    private func note(
        _ denial: UpstreamVerdict.Denial, in streak: inout DenialStreak, at since: Duration = .zero,
        limit: Duration = .seconds(60)
    ) -> DenialStreak.Meaning {
        streak.note(denial, isProbe: false, at: start.advanced(by: since), limit: limit)
    }
}
