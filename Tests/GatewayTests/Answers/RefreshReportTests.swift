import CacheLayer
import Testing

@testable import FXGateway

@Suite("What an operator is told of a refused refresh")
struct RefreshReportTests {
    /// A Tuesday noon.
    private static let noon = UnixMilliseconds(1_773_144_000_000)
    private static let soon = noon + .milliseconds(1_500)

    private func refusal(
        _ condition: RefreshCondition, isForced: Bool, at wall: UnixMilliseconds = noon
    ) -> Problem {
        RefreshReport.refusal(of: .latest(base: .usd), condition, isForced: isForced, wall: wall)
    }

    @Test("a forced one is held back by the least distance between two calls, and hears until when")
    func forced() {
        let problem = refusal(.paced(until: Self.soon), isForced: true)
        #expect(problem.kind == .conflict)
        #expect(problem.detail.contains("least distance between two calls"))
        #expect(problem.detail.contains("FXGW_QUOTA_PER_MINUTE"))
        #expect(problem.detail.hasSuffix("It may be tried again at \(Self.soon.rfc3339)."))
        #expect(!problem.detail.contains("month's calls last"))
        #expect(problem.retryAfter == 2)
    }

    @Test("one that isn't forced is held back by the pace, and hears what passes it")
    func unforced() {
        let problem = refusal(.paced(until: Self.soon), isForced: false)
        #expect(problem.detail.contains("not due yet"))
        #expect(problem.detail.contains("force=true"))
        #expect(problem.detail.hasSuffix("It may be tried again at \(Self.soon.rfc3339)."))
    }

    @Test("near the month's first midnight that is the reason, forced or not", arguments: [true, false])
    func edge(isForced: Bool) throws {
        let midnight = Month(containing: Self.noon).next.start
        for wall in [midnight + .milliseconds(-5_000), midnight + .milliseconds(5_000)] {
            let leave = try #require(MonthEdge(at: wall).leave)
            let problem = refusal(.paced(until: leave), isForced: isForced, at: wall)
            #expect(problem.detail.contains("the month's first midnight"))
            #expect(problem.detail.contains(leave.rfc3339))
        }
        let before = refusal(
            .paced(until: midnight), isForced: isForced, at: midnight + .milliseconds(-5_001))
        #expect(!before.detail.contains("midnight"))
    }

    @Test("within a pause it is refused, forced or not, with the pause's end and what ends it before")
    func paused() {
        for (condition, kind) in [
            (RefreshCondition.cooldown(until: Self.soon), ProblemKind.upstreamCooldown),
            (.keyRejected(until: Self.soon), .upstreamKeyRejected),
        ] {
            for isForced in [true, false] {
                let problem = refusal(condition, isForced: isForced)
                #expect(problem.kind == kind && problem.retryAfter == 2)
                #expect(problem.detail.contains("ends at \(Self.soon.rfc3339);"))
                #expect(problem.detail.contains("DELETE /admin/cooldown"))
            }
        }
    }

    @Test("one that was in vain and one that another call stands in the way of are told apart")
    func others() {
        #expect(refusal(.idle, isForced: true).detail.contains("nothing newer"))
        #expect(refusal(.refreshing, isForced: true).detail.contains("Another call"))
        #expect(refusal(.storeAway(until: Self.soon), isForced: true).kind == .storeUnavailable)
    }
}
