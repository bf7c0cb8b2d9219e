import Foundation
import TestSupport

@testable import CacheLayer

/// States and directories for tests of the state file.
enum StateSamples {
    static let identity = StateIdentity(fleet: "test", upstream: "127.0.0.1:9099")
    /// A Tuesday noon, far from the month's edges.
    static let noon = UnixMilliseconds(1_773_144_000_000)
    static let written = StateMoment(wall: noon, sinceBoot: .seconds(50_000), boot: "boot-1")
    static let month = Month(containing: noon)

    /// A state in which no field is empty.
    static let full = SavedState(
        instance: "0123456789abcdef0123456789abcdef", written: written, floor: FencingToken(noon.value - 5),
        ledger: SavedState.Ledger(
            birth: "birth-1", month: month, counted: 4_711, assumed: 12, external: 3, plan: 9_000,
            epoch: FencingToken(noon.value - 4), instances: 3, members: ["host:2"],
            toldAt: noon + .seconds(-1), age: .milliseconds(1_234)),
        cooldowns: [
            SavedState.Cooldown(
                scope: .short, end: noon + .seconds(300), strikes: 2, reason: "rate limited \"twice\"\n"),
            SavedState.Cooldown(
                scope: .key, end: noon + .seconds(900), strikes: 1, reason: "key_rejected",
                keys: [KeyMark(stored: "0badcafe"), .anonymous]),
        ],
        offline: SavedState.Offline(
            month: month, calls: 12,
            recent: [.init(age: .seconds(3_000), calls: 2), .init(age: .zero, calls: 1)]),
        control: control, snapshots: [held()])

    static let control: ControlRecord = {
        var control = ControlRecord(
            birth: "birth-1", version: 77, opensAt: noon.value - 90_000, grace: 3_000,
            epoch: noon.value - 4, ledger: ledger, purged: noon.value - 900, arrival: noon.value + 5_000)
        control.starts = MinuteWindow(seconds: [.init(second: noon.value / 1_000 - 3, calls: 2)])
        control.flights = [
            FlightRecord(
                attempt: AttemptID(), token: noon.value - 4, resource: .latest(base: .sample("USD")),
                holder: "host:1", end: noon.value + 9_000, month: month, lease: 15_000, interval: 60_000)
        ]
        control.cooldowns[.short] = CooldownRecord(
            end: noon.value + 300_000, token: -1, strikes: 2, reason: "rate_limited", since: noon.value,
            attempts: [AttemptID(), AttemptID()], isTold: true)
        control.cooldowns[.key] = CooldownRecord(
            end: noon.value + 900_000, token: 9, strikes: 1, reason: "key_rejected", since: noon.value,
            attempts: [], isTold: false, keys: [KeyMark(stored: "0badcafe")])
        control.refusals = [
            RefusalRecord(
                kind: "latest:EUR", key: .anonymous, end: noon.value + 3_600_000, strikes: 2, token: 7)
        ]
        control.slowDown = SlowDown(level: 2, since: noon.value + 300_000)
        control.paces[.currencies] = PaceRecord(nextAt: noon.value + 1, strikes: 3, token: 5, failed: 4)
        return control
    }()

    private static let ledger: LedgerRecord = {
        var ledger = LedgerRecord(month: month)
        (ledger.counted, ledger.inherited, ledger.carry) = (4_711, 17, 1)
        ledger.assumption = Assumption(calls: 30, plan: 9_000, reason: .lost, since: noon.value - 9_000)
        (ledger.external, ledger.evidenceAt, ledger.shownLimit) = (11, noon.value - 8_000, 9_000)
        ledger.legacySeen = 4_000
        ledger.offline["host:1"] = Testimony.Offline(month: "2026-03", calls: 4)
        ledger.recovery = Recovery(
            began: noon.value - 90_000, isKnown: true, toldAssumed: 2, sight: noon.value - 91_000,
            missing: ["host:3"], witnesses: ["host:1"])
        return ledger
    }()

    static func held(
        _ code: String = "USD", token: Int64 = noon.value - 5, fetchedAt: UnixMilliseconds = noon,
        age: Duration = .seconds(7), notice: String? = nil
    ) -> SavedState.Held {
        let base = Currency.sample(code)
        let table = RateTable(
            base: base, source: .live, marketSession: "open", timestamp: nil,
            dataTime: Timestamp(text: fetchedAt.rfc3339, instant: fetchedAt),
            symbols: [.sample("GBP", .live), .sample("JPY", .live)], hasSources: true, hasEffectiveAt: false,
            notice: notice)
        let snapshot = RateSnapshot(
            id: SnapshotID(fetchedAt: fetchedAt, digest: [1, 2, 3, 4]), resource: .latest(base: base),
            token: FencingToken(token), fetchedAt: fetchedAt, interval: .seconds(60), table: table)
        let stored = SnapshotCodec(policy: TierPolicy()).encode(snapshot)
        return SavedState.Held(stored: stored.kept(for: .milliseconds(1)), age: age)
    }

    /// Gives `body` an empty directory that goes afterwards.
    static func withDirectory<R>(_ body: (URL) async throws -> R) async throws -> R {
        let url = FileManager.default.temporaryDirectory.appending(
            path: "state-\(AttemptID().text.prefix(12))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url)
    }

    /// What a call throws; nil if it throws nothing.
    static func fault(_ body: () throws(StateFileFault) -> Void) -> StateFileFault? {
        do throws(StateFileFault) { try body() } catch { return error }
        return nil
    }
}
