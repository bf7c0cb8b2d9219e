import EventLoop
import Foundation

/// Reads the fleet's control all along, as the master has it.
///
/// Safe from any thread; ends with `stop`.
final class ChaosWatch: Sendable {
    /// The control at one moment.
    struct Look: Sendable {
        /// Unix time in ms.
        let wall: Int64
        let used: Int?
        /// Until when upstream's short pause lasts; nil without one.
        let pauseEnd: Int64?
        /// How often the interval is doubled.
        let slowLevel: Int
    }

    private struct State {
        var looks: [Look] = []
        var isStopped = false
        var hasEnded = false
    }

    private let state = Locked(State())
    private let fleet: Fleet

    init(_ fleet: Fleet) {
        self.fleet = fleet
        Thread.detachNewThread { self.run() }
    }

    var looks: [Look] { state.withLock { $0.looks } }

    func stop() async -> [Look] {
        state.withLock { $0.isStopped = true }
        _ = await eventually(within: .seconds(10)) { state.withLock { $0.hasEnded } }
        return looks
    }

    private func run() {
        while !state.withLock({ $0.isStopped }) {
            if let control = try? fleet.control(), let look = Self.look(control) {
                state.withLock { $0.looks.append(look) }
            }
            usleep(80_000)
        }
        state.withLock { $0.hasEnded = true }
    }

    private static func look(_ control: [String: String]) -> Look? {
        guard !control.isEmpty else { return nil }
        let pause = control["cd:short"].flatMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let end = (pause?["end"] as? NSNumber)?.int64Value
        return Look(
            wall: ChaosRig.now, used: control["counted"].flatMap(Int.init),
            pauseEnd: end.flatMap { $0 > ChaosRig.now ? $0 : nil },
            slowLevel: control["slow"].flatMap { $0.split(separator: ":").first.flatMap { Int($0) } } ?? 0)
    }
}
