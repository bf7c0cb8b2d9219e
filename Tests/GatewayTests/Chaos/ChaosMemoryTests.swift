import TestSupport
import Testing

@Suite("What a fleet may have forgotten after random faults")
struct ChaosMemoryTests {
    @Test("is a pause that was met while a process, a link or Redis was struck, and a second longer")
    func untold() {
        let events = [
            Self.event(.kill, of: 0, 1_000..<2_000), Self.event(.slowUpstream, 3_000..<4_000),
            Self.event(.burst, of: 1, 5_000..<6_000), Self.event(.flush, 7_000..<7_001),
        ]
        #expect(ChaosMemory.untold(events) == [1_000..<3_000, 7_000..<8_001])
    }

    @Test("is nothing where one place was well while Redis lost its data")
    func remembered() {
        let loss = Self.event(.flush, 20_000..<20_001)
        let one = Self.event(.kill, of: 0, 18_000..<19_000)
        let burst = Self.event(.burst, of: 1, 18_000..<19_000)
        let earlier = Self.event(.kill, of: 1, 5_000..<9_000)
        #expect(ChaosMemory.forgotten([loss, one, burst, earlier], places: 2).isEmpty)
    }

    @Test("is all that was known where each place was struck around the loss")
    func forgotten() {
        let loss = Self.event(.loseControl, 20_000..<20_001)
        let one = Self.event(.kill, of: 0, 18_000..<19_000)
        let other = Self.event(.cutOff, of: 1, 12_000..<15_000)
        #expect(ChaosMemory.forgotten([loss, one, other], places: 2) == [20_000])
        #expect(ChaosMemory.forgotten([one, other], places: 2).isEmpty)
    }

    private static func event(_ kind: ChaosKind, of place: Int? = nil, _ time: Range<Int64>) -> ChaosEvent {
        ChaosEvent(ChaosStep(kind: kind, at: .zero, length: .zero, gateway: place, amount: 0), time)
    }
}
