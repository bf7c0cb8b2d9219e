import CacheLayer
import Foundation
import TestSupport

@testable import ExchangeRateClient

extension ManualTime {
    /// Clocks that stand still until they are moved.
    static func still() -> ManualTime { ManualTime(wall: UnixMilliseconds(1_780_000_000_000)) }

    /// These clocks as the client takes them, and a chance that is always none, so that waits are exact.
    func surroundings(waits: Bool = true) -> Surroundings {
        let source = self.source
        return Surroundings(
            now: source.now, wall: { Date(timeIntervalSince1970: Double(self.wall.value) / 1_000) },
            sleep: { if waits { try await source.sleep($0) } }, chance: { _ in .zero })
    }
}
