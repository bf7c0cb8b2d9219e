import TestSupport

@testable import CacheLayer

/// Controls with any of their parts there or not, the same ones for the same seed.
struct RandomControls {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    mutating func next() -> ControlRecord {
        var control = ControlRecord(
            birth: word(), version: number(), opensAt: number(), grace: number(), epoch: number(),
            ledger: ledger(), purged: maybe() ? number() : 0, arrival: number())
        control.refusals = list(3) {
            RefusalRecord(
                kind: $0.resource().refusalKind, key: $0.key(), end: $0.number(), strikes: $0.number(),
                token: $0.number())
        }
        control.starts = MinuteWindow(
            seconds: list(4) { MinuteWindow.Second(second: $0.number(), calls: $0.number()) })
        control.flights = list(3) {
            FlightRecord(
                attempt: AttemptID(stored: $0.word()), token: $0.number(), resource: $0.resource(),
                holder: $0.text(), end: $0.number(), month: $0.month(), lease: $0.number(),
                interval: $0.number(), isSettled: $0.maybe())
        }
        for scope in CooldownScope.allCases where maybe() { control.cooldowns[scope] = cooldown() }
        if maybe() {
            control.slowDown = SlowDown(
                level: .random(in: 1...SlowDown.highest, using: &numbers), since: number())
        }
        for _ in 0..<3 where maybe() {
            control.paces[resource()] = PaceRecord(
                nextAt: number(), strikes: number(), token: number(), failed: number())
        }
        return control
    }

    private mutating func ledger() -> LedgerRecord {
        var ledger = LedgerRecord(month: month())
        ledger.counted = number()
        if maybe() { (ledger.inherited, ledger.carry, ledger.external) = (number(), number(), number()) }
        if maybe() {
            ledger.assumption = Assumption(
                calls: number(), plan: number() + 1, reason: maybe() ? .before : .lost, since: number())
        }
        if maybe() { (ledger.evidenceAt, ledger.shownLimit) = (number() + 1, number() + 1) }
        if maybe() { ledger.legacySeen = maybe() ? 0 : number() }
        for _ in 0..<3 where maybe() {
            ledger.offline[text()] = Testimony.Offline(month: month().description, calls: number())
        }
        if maybe() {
            ledger.recovery = Recovery(
                began: number(), isKnown: maybe(), toldAssumed: number(), sight: number(),
                missing: list(3) { $0.text() }, witnesses: list(3) { $0.text() })
            ledger.recovery?.blank = number()
        }
        return ledger
    }

    private mutating func cooldown() -> CooldownRecord {
        CooldownRecord(
            end: number(), token: maybe() ? -1 : number(), strikes: number(), reason: text(), since: number(),
            attempts: list(8) { AttemptID(stored: $0.word()) }, isTold: maybe(), keys: list(3) { $0.key() })
    }

    private mutating func maybe() -> Bool { .random(using: &numbers) }

    /// Of any length up to the longest.
    private mutating func number() -> Int64 {
        let most = (0..<Int.random(in: 1...15, using: &numbers)).reduce(into: Int64(1)) { most, _ in
            most *= 10
        }
        return .random(in: 0..<most - 1, using: &numbers)
    }

    private mutating func month() -> Month {
        Month(containing: UnixMilliseconds(.random(in: 0...4_000_000_000_000, using: &numbers)))
    }

    private mutating func resource() -> Resource {
        let names = ["latest:USD", "latest:EUR", "year:USD:2001", "currencies", "account"]
        return names.randomElement(using: &numbers).flatMap { Resource(name: $0) } ?? .currencies
    }

    private mutating func key() -> KeyMark { KeyMark(stored: word().prefix(8)) }

    private mutating func word() -> String { AttemptID(stored: hexadecimal(16)).text }

    private mutating func hexadecimal(_ count: Int) -> String {
        (0..<count).map { _ in String("0123456789abcdef".randomElement(using: &numbers) ?? "0") }.joined()
    }

    /// With letters that need an escape in JSON.
    private mutating func text() -> String {
        let letters = Array("ab:/ \"\\\n\u{1}äß漢🏦")
        return String((0..<6).map { _ in letters.randomElement(using: &numbers) ?? "a" })
    }

    private mutating func list<Element>(
        _ most: Int, _ element: (inout RandomControls) -> Element
    ) -> [Element] {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in element(&self) }
    }
}
