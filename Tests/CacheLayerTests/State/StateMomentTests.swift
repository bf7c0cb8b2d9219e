import Testing

@testable import CacheLayer

@Suite("State file: ages")
struct StateMomentTests {
    private let written = StateSamples.written

    private func moment(_ wall: Duration, boot: Duration, _ name: String = "boot-1") -> StateMoment {
        StateMoment(wall: written.wall + wall, sinceBoot: written.sinceBoot + boot, boot: name)
    }

    @Test("in the same run of the machine the wall clock's steps count for nothing (C1)")
    func sameBoot() {
        #expect(moment(.seconds(60), boot: .seconds(60)).elapsed(since: written) == .seconds(60))
        #expect(moment(.seconds(-3_600), boot: .seconds(60)).elapsed(since: written) == .seconds(60))
        #expect(moment(.seconds(86_400), boot: .seconds(60)).elapsed(since: written) == .seconds(60))
        #expect(moment(.zero, boot: .zero).elapsed(since: written) == .zero)
    }

    @Test("in another run the wall clock counts, unless it is behind what was written (C1)")
    func otherBoot() {
        #expect(
            moment(.seconds(60), boot: .seconds(-40_000), "boot-2").elapsed(since: written) == .seconds(60))
        #expect(moment(.zero, boot: .zero, "boot-2").elapsed(since: written) == .zero)
        #expect(moment(.milliseconds(-1), boot: .seconds(99), "boot-2").elapsed(since: written) == nil)
        // A clock that goes back within a run can't be: another namespace of time.
        #expect(moment(.seconds(9), boot: .milliseconds(-1)).elapsed(since: written) == .seconds(9))
    }

    @Test("a system that doesn't name its runs has only the wall clock")
    func noName() {
        let nameless = StateMoment(wall: written.wall, sinceBoot: written.sinceBoot, boot: "")
        let later = StateMoment(
            wall: written.wall + .seconds(5), sinceBoot: written.sinceBoot + .seconds(9), boot: "")
        #expect(later.elapsed(since: nameless) == .seconds(5))
    }

    @Test("the system's own moments follow each other")
    func system() {
        let first = StateMoment.now
        let second = StateMoment.now
        #expect(!first.boot.isEmpty && first.boot == second.boot)
        #expect(second.elapsed(since: first).map { $0 < .seconds(10) } == true)
    }
}
