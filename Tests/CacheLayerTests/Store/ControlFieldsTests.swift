import TestSupport
import Testing

@testable import CacheLayer

@Suite("A control's fields")
struct ControlFieldsTests {
    private static let full = StateSamples.control
    private static let fields = ControlFields.fields(full)

    private func reading(_ changes: [String: String] = [:], without name: String = "") -> ControlReading {
        var fields = Self.fields.merging(changes) { $1 }
        fields[name] = nil
        return ControlFields.read(fields).control
    }

    @Test("give back the control that they were written from", arguments: UInt64(1)...20)
    func roundTrip(seed: UInt64) {
        var random = RandomControls(seed: seed)
        for _ in 0..<100 {
            let control = random.next()
            let (read, garbage) = ControlFields.read(ControlFields.fields(control))
            #expect(read == .record(control) && garbage == 0)
            if read != .record(control) { return }
        }
    }

    @Test("are absent where they say nothing, and none of them makes an absent control")
    func sparse() {
        let month = StateSamples.month
        let bare = ControlRecord(
            birth: "b", opensAt: 1, grace: 0, ledger: LedgerRecord(month: month), arrival: 0)
        let names = ["schema", "birth", "version", "open_at", "grace", "epoch", "month", "counted", "tat"]
        #expect(Set(ControlFields.fields(bare).keys) == Set(names))
        #expect(ControlFields.read([:]).control == .absent)
    }

    @Test("can be read by a person")
    func readable() {
        let noon = StateSamples.noon.value
        #expect(Self.fields["counted"] == "4711")
        #expect(Self.fields["assumed"] == "30/9000 lost \(noon - 9_000)")
        #expect(Self.fields["starts"] == "\(noon / 1_000 - 3):2")
        #expect(Self.fields["slow"] == "2:\(noon + 300_000)")
        #expect(Self.fields["offline:host:1"] == "2026-03 4")
    }

    @Test(
        "are unreadable as a whole where one that a promise rests on can't be read",
        arguments: [
            "birth", "version", "open_at", "grace", "epoch", "month", "counted", "tat", "inherited", "carry",
            "external", "evidence_at", "limit", "purged", "legacy", "assumed", "recovery", "offline:host:1",
            "starts", "slow", "flights", "refused", "cd:short", "cd:key",
        ])
    func damaged(name: String) {
        #expect(Self.fields[name] != nil)
        for text in ["", "x", "-1", "1.5", "1e3", "{}", "[1]", "9999999999999999"]
        where !(name == "birth" && !text.isEmpty) {
            // An empty list of starts is no damage: it says the same as no field.
            if name == "starts", text.isEmpty { continue }
            #expect(reading([name: text]) == .unreadable, "\(name): \(text)")
        }
    }

    @Test(
        "are unreadable where one that every control has is missing",
        arguments: ["schema", "birth", "version", "open_at", "grace", "epoch", "month", "counted", "tat"])
    func missing(name: String) {
        #expect(reading(without: name) == .unreadable)
    }

    @Test("lose a pace that can't be read, and nothing else")
    func unreadablePace() {
        var expected = Self.full
        expected.paces = [:]
        var fields = Self.fields
        fields["res:currencies"] = "soon"
        let (read, garbage) = ControlFields.read(fields)
        #expect(read == .record(expected) && garbage == 1)
    }

    @Test("that other versions add are left alone")
    func additions() {
        #expect(reading(["later": "x", "res:other": "{}", "cd:other": "{}"]) == .record(Self.full))
    }

    @Test(
        "of a later schema are named, whatever else they are",
        arguments: [("3", ControlReading.later(schema: 3)), ("2x", .unreadable), ("1", .unreadable)])
    func schema(text: String, expected: ControlReading) {
        #expect(reading(["schema": text, "counted": "many"], without: "birth") == expected)
    }

    @Test("hold whole numbers of up to 15 digits, so that no sum of them runs over")
    func bounds() {
        guard case .record(let control) = reading(["counted": "999999999999999"]) else {
            Issue.record("unreadable")
            return
        }
        #expect(control.ledger.counted == 999_999_999_999_999)
    }
}
