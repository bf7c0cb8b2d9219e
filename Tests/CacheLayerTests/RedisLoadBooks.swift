import EventLoop

@testable import CacheLayer

/// What a fleet under load has done, kept by the test alone: nobody reads it to decide anything.
final class RedisLoadBooks: Sendable {
    struct Grant: Sendable {
        let token: FencingToken
        let at: ContinuousClock.Instant
    }

    private struct State {
        var grants: [Grant] = []
        var inFlight = 0
        var mostInFlight = 0
        var losses = 0
    }

    private let state = Locked(State())

    var grants: [Grant] { state.withLock { $0.grants } }
    /// Calls that would have been made at upstream.
    var calls: Int { grants.count }
    var mostInFlight: Int { state.withLock { $0.mostInFlight } }
    /// Answers that the control was lost.
    var losses: Int { state.withLock { $0.losses } }

    /// When the first grant after an instant came.
    func firstGrant(after instant: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        grants.first { $0.at > instant }?.at
    }

    /// The longest time without a grant between two instants.
    func longestGap(_ start: ContinuousClock.Instant, _ end: ContinuousClock.Instant) -> Duration {
        let instants = [start] + grants.map(\.at).filter { $0 > start && $0 < end } + [end]
        return zip(instants, instants.dropFirst()).map { $1 - $0 }.max() ?? .zero
    }

    func begins(_ token: FencingToken) {
        state.withLock { state in
            state.grants.append(Grant(token: token, at: .now))
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
        }
    }

    func ends() { state.withLock { $0.inFlight -= 1 } }

    func loses() { state.withLock { $0.losses += 1 } }
}
