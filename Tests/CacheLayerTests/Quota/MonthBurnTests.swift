import CacheLayer
import Testing

@Suite("The month's burn")
struct MonthBurnTests {
    private static let june = UnixMilliseconds(1_780_272_000_000)

    private static func shadow(_ month: String, used: Int64, at now: UnixMilliseconds) -> Shadow {
        Shadow(
            now: now, birth: "b", epoch: .none, month: month, counted: used, reserved: 0, plan: 10_000,
            cooldowns: [], nextAt: nil)
    }

    private static func at(_ day: Int64, _ hour: Int64 = 0) -> UnixMilliseconds {
        june + .seconds((day - 1) * 86_400 + hour * 3_600)
    }

    @Test("keeps the last count of each day, and what was seen first")
    func days() {
        var burn = MonthBurn()
        for (day, hour, used) in [(3, 5, 700), (3, 20, 800), (4, 1, 810), (9, 0, 2_000), (9, 23, 2_300)] {
            burn.note(Self.shadow("2026-06", used: Int64(used), at: Self.at(Int64(day), Int64(hour))))
        }
        #expect(burn.month == "2026-06")
        #expect(burn.first?.used == 700)
        #expect(burn.first?.at == Self.at(3, 5))
        #expect(burn.days.map(\.number) == [3, 4, 9])
        #expect(burn.days.map(\.used) == [800, 810, 2_300])
    }

    @Test("takes nothing from an answer that is older than what is known, nor from another month's")
    func order() {
        var burn = MonthBurn()
        burn.note(Self.shadow("2026-06", used: 900, at: Self.at(4, 6)))
        burn.note(Self.shadow("2026-06", used: 800, at: Self.at(4, 5)))
        burn.note(Self.shadow("2026-06", used: 700, at: Self.at(3)))
        burn.note(Self.shadow("2026-05", used: 9_000, at: Self.june + .seconds(-1)))
        // The store's clock is past the month that its ledger still counts by.
        burn.note(Self.shadow("2026-06", used: 950, at: Self.at(31)))
        #expect(burn.days.map(\.used) == [900])
        burn.note(Self.shadow("2026-07", used: 1, at: Self.at(31, 1)))
        #expect(burn.month == "2026-07")
        #expect(burn.days.map(\.number) == [1])
        #expect(burn.first?.used == 1)
    }
}
