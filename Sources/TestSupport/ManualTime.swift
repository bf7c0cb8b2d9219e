package import CacheLayer
import EventLoop

/// Clocks that stand still until a test moves them.
///
/// Safe from any thread.
package final class ManualTime: Sendable {
    private struct Sleeper {
        let id: Int
        let wakesAt: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var elapsed = Duration.zero
        var wallJump = Duration.zero
        var nextID = 0
        var isOver = false
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let origin = ContinuousClock.now
    private let wallOrigin: UnixMilliseconds
    private let state = Locked(State())

    /// Clocks that show `wall` until they are moved.
    package init(wall: UnixMilliseconds) { wallOrigin = wall }

    /// How far the clocks have been moved.
    package var elapsed: Duration { state.withLock { $0.elapsed } }

    /// What the wall clock shows.
    package var wall: UnixMilliseconds { state.withLock { wallOrigin + ($0.elapsed + $0.wallJump) } }

    /// These clocks as the code under test takes them.
    package var source: TimeSource {
        TimeSource(
            now: { self.origin.advanced(by: self.elapsed) }, wall: { self.wall },
            sleep: { try await self.sleep($0) })
    }

    /// Moves both clocks and wakes those whose time has come, in the order of their times.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            let due = state.sleepers.filter { $0.wakesAt <= state.elapsed }.sorted { $0.wakesAt < $1.wakesAt }
            state.sleepers.removeAll { $0.wakesAt <= state.elapsed }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Ends all sleep, now and from now on, so that nobody holds these clocks by sleeping for good.
    package func end() {
        let sleepers = state.withLock { state in
            state.isOver = true
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
    }

    /// How long until the first of those who sleep wakes, at least zero; nil if nobody sleeps.
    package var untilNextWaking: Duration? {
        state.withLock { state in
            state.sleepers.min { $0.wakesAt < $1.wakesAt }.map { max(.zero, $0.wakesAt - state.elapsed) }
        }
    }

    /// Sets the wall clock ahead, or back, as an operator or a time server does; nothing else moves, and nobody wakes.
    package func jumpWall(by duration: Duration) { state.withLock { $0.wallJump += duration } }

    /// Waits until at least so many sleep: only then is it sure that moving the clock reaches them.
    package func sleepers(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let (isOver, isCancelled, reached) = state.withLock { state in
                    if state.cancelled.remove(id) != nil || state.isOver {
                        return (false, true, [CheckedContinuation<Void, Never>]())
                    }
                    if duration <= .zero { return (true, false, []) }
                    state.sleepers.append(
                        Sleeper(id: id, wakesAt: state.elapsed + duration, continuation: continuation))
                    let reached = state.watchers.filter { $0.count <= state.sleepers.count }.map(
                        \.continuation)
                    state.watchers.removeAll { $0.count <= state.sleepers.count }
                    return (false, false, reached)
                }
                if isOver { continuation.resume() }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                for watcher in reached { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
