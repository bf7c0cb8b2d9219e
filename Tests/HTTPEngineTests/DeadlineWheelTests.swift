import Testing

@testable import HTTPEngine

@Suite("Deadline wheel")
struct DeadlineWheelTests {
    private func expired(_ wheel: inout DeadlineWheel, _ tick: UInt32) -> [Int] {
        var slots: [Int] = []
        while let slot = wheel.nextExpired(upTo: tick) { slots.append(slot) }
        return slots.sorted()
    }

    @Test("tells each slot at its tick, not before and once")
    func order() {
        var wheel = DeadlineWheel(now: 10, size: 8)
        wheel.set(0, at: 12)
        wheel.set(3, at: 12)
        wheel.set(1, at: 30)
        #expect(expired(&wheel, 11) == [])
        #expect(expired(&wheel, 12) == [0, 3])
        #expect(expired(&wheel, 29) == [])
        #expect(expired(&wheel, 30) == [1])
        #expect(expired(&wheel, 1000) == [])
    }

    @Test("follows deadlines that move, either way, and forgets removed ones")
    func moves() {
        var wheel = DeadlineWheel(now: 1, size: 8)
        wheel.set(0, at: 3)
        wheel.set(0, at: 50)
        wheel.set(1, at: 50)
        wheel.set(1, at: 4)
        wheel.set(2, at: 4)
        wheel.remove(2)
        wheel.set(3, at: 5)
        wheel.set(3, at: DeadlineWheel.never)
        #expect(expired(&wheel, 49) == [1])
        #expect(expired(&wheel, 50) == [0])
        #expect(expired(&wheel, 500) == [])
    }

    @Test("a past deadline comes at the next tick, and a long pause loses none")
    func jumps() {
        var wheel = DeadlineWheel(now: 100, size: 8)
        wheel.set(0, at: 1)
        for slot in 1..<50 { wheel.set(slot, at: 100 + UInt32(slot)) }
        #expect(expired(&wheel, 10_000) == Array(0..<50))
    }

    @Test("agrees with a plain list over ten thousand random moves")
    func model() {
        var wheel = DeadlineWheel(now: 1, size: 16)
        var model: [Int: UInt32] = [:]
        var random = SplitMix(state: 7)
        for _ in 0..<10_000 {
            let slot = Int(random.next() % 40)
            switch random.next() % 4 {
            case 0:
                wheel.remove(slot)
                model[slot] = nil
            case 1:
                let tick = wheel.now + UInt32(random.next() % 3)
                let due = model.filter { $0.value <= tick }.map(\.key).sorted()
                for slot in due { model[slot] = nil }
                #expect(expired(&wheel, tick) == due)
            default:
                let tick = wheel.now + UInt32(random.next() % 60)
                wheel.set(slot, at: tick)
                model[slot] = max(tick, wheel.now + 1)
            }
        }
    }
}
