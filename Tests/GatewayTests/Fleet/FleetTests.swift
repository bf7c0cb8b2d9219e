import EventLoop
import TestSupport
import Testing
import UpstreamSimulator

/// Real gateway processes, a real redis-server, a simulated upstream: what only shows between processes.
///
/// One fleet at a time: the suites below are serialized with all that is in them.
@Suite("A fleet of real processes", .serialized, .countsFailures)
enum FleetTests {
    /// Failures seen so far, so that a fleet knows whether its logs are of interest.
    static let failures = Locked(0)

    /// Runs `body` with a fleet of its own; if anything fails, its logs are printed and kept.
    static func run(
        _ options: FleetOptions = FleetOptions(), _ body: (Fleet) async throws -> Void
    ) async throws {
        let before = failures.withLock { $0 }
        let fleet = try await Fleet.start(options)
        do {
            try await body(fleet)
        } catch {
            await end(fleet, isFailed: true)
            throw error
        }
        await end(fleet, isFailed: failures.withLock { $0 } != before)
    }

    private static func end(_ fleet: Fleet, isFailed: Bool) async {
        if isFailed { print(fleet.report) }
        await fleet.stop()
        if !isFailed { fleet.removeDirectory() }
    }
}

extension Trait where Self == IssueHandlingTrait {
    /// Notes every failure of the tests below and passes it on.
    static var countsFailures: Self {
        .compactMapIssues { issue in
            FleetTests.failures.withLock { $0 += 1 }
            return issue
        }
    }
}
