import EventLoop
import Foundation
import Telemetry
import TestSupport

@testable import CacheLayer

/// A machine with a state directory, on which instances are started, killed and started again.
///
/// Time is moved by hand; the files are real.
final class StateBench {
    static let usd = RefreshBench.usd
    /// `gap` a second; so large that the tier's own interval of a minute decides.
    static let plenty = QuotaPlan(monthly: 1_000_000, perMinute: 60)

    let time: ManualTime
    let directory: URL
    let upstream: ScriptedUpstream
    /// The store that instances share, as Redis is; each can be cut off from it.
    let shared: InMemoryRateStore
    let plan: QuotaPlan
    private let clocks: Locked<Clocks>

    private struct Clocks {
        var jump = Duration.zero
        var boot = "boot-1"
    }

    private init(at wall: UnixMilliseconds, plan: QuotaPlan, directory: URL) {
        let time = ManualTime(wall: wall)
        (self.time, self.plan, self.directory) = (time, plan, directory)
        clocks = Locked(Clocks())
        shared = InMemoryRateStore(archiveBytes: 1 << 20) { time.wall }
        upstream = ScriptedUpstream(time: time)
    }

    static func with(
        at wall: UnixMilliseconds = StateSamples.noon, plan: QuotaPlan = plenty,
        _ body: (StateBench) async throws -> Void
    ) async throws {
        try await StateSamples.withDirectory { directory in
            let bench = StateBench(at: wall, plan: plan, directory: directory)
            try await body(bench)
            bench.upstream.end()
            bench.time.advance(by: .seconds(100_000))
            bench.time.end()
        }
    }

    /// An instance of a fleet.
    func start(_ name: String = "a", perHour: Int64 = 0, hasFile: Bool = true, isAway: Bool = false) async
        -> StateInstance
    {
        let instance = StateInstance(name, on: self, alone: false, perHour: perHour, hasFile: hasFile)
        instance.store.isAway(isAway)
        await instance.refresher.resume()
        await instance.turn()
        return instance
    }

    /// An instance without Redis.
    func startAlone() async -> StateInstance {
        let instance = StateInstance("a", on: self, alone: true, perHour: 0, hasFile: true)
        await instance.refresher.resume()
        await instance.turn()
        return instance
    }

    /// An instance that holds a fresh table, of a fleet whose control is open.
    func warm(_ name: String = "a", perHour: Int64 = 0) async -> StateInstance {
        let instance = await start(name, perHour: perHour)
        await pass(.seconds(4), instance)
        await instance.want()
        return instance
    }

    /// Moves the time on second by second.
    func pass(_ length: Duration, step: Duration = .seconds(1), _ instances: StateInstance...) async {
        let end = time.elapsed + length
        while time.elapsed < end {
            time.advance(by: min(step, end - time.elapsed))
            for instance in instances { await instance.turn() }
        }
    }

    /// Sets the wall clock another way than time goes.
    func jumpWall(by length: Duration) { clocks.withLock { $0.jump += length } }

    /// The machine is started anew.
    func reboot() { clocks.withLock { $0.boot += "x" } }

    /// The machine's clocks, at any time.
    var moments: @Sendable () -> StateMoment {
        { [time, clocks] in
            let (jump, boot) = clocks.withLock { ($0.jump, $0.boot) }
            return StateMoment(
                wall: time.wall + jump, sinceBoot: time.elapsed + .seconds(1_000), boot: boot)
        }
    }

    var wall: UnixMilliseconds { moments().wall }

    func change(_ body: (inout MemoryState) -> Void) { shared.state.withLock { body(&$0.memory) } }

    func control<T: Sendable>(_ read: (ControlRecord?) -> T) -> T {
        shared.state.withLock { read($0.memory.control) }
    }

    /// What the file says at present.
    func saved() throws -> SavedState {
        let file = StateFile(directory: directory.path, name: StateSamples.identity.fileName)
        let bytes = try file.read(atMost: StateCodec.largestFile) ?? []
        return try StateCodec(identity: StateSamples.identity).decode(bytes)
    }
}
