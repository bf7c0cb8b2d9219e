import CacheLayer
import Foundation
import TestSupport

/// A run that never was, written by hand: two gateways, a call every two seconds, each table on both at once.
///
/// Every answer says the truth until a test changes it. Times are in ms from the run's start.
struct PromiseRun {
    /// One request and its answer.
    struct Asked {
        var gateway: Int
        var at: Int64
        var latency = Duration.milliseconds(1)
        /// Nil for no answer.
        var status: Int? = 200
        var source: String? = "live"
        var state: String? = "fresh"
        var reason: String?
        var snapshot: String?
        var fetchedAt: Int64
        var freshUntil: Int64
        /// Nil for none.
        var dataTime: Int64?
        var age: Int64
        var window = 900
        var cooldownUntil: Int64?
        /// The digits of the one rate.
        var digits = "1.0851"
        /// What an answer without rates took.
        var idle: Duration?
        /// A further field's value.
        var note: String?
        /// In place of what the body says.
        var fieldState: String?
    }

    /// Far from any month's end, on a whole second.
    static let start: Int64 = 1_800_000_000_000
    static let length: Int64 = 20_000
    static let interval: Int64 = 2_000

    /// Fresh for two intervals, as below, and stale for the product's own quarter of an hour.
    var terms = PromiseTerms(interval: .milliseconds(Self.interval)) {
        $0.lifetime = .milliseconds(2 * Self.interval)
        $0.staleWindow = .seconds(900)
    }
    var asked: [Asked]
    var calls: [PromiseCall]
    var ledger = 100...110
    var secrets: [String] = []
    var writings: [(place: String, text: String)] = []

    init() {
        asked = stride(from: 0, to: Self.length, by: 250).flatMap { at in
            (0..<2).map { Self.answer(of: $0, at: at) }
        }
        calls = stride(from: 0, to: Self.length, by: Int(Self.interval)).map {
            PromiseCall(received: Self.start + Int64($0), target: "/v1/latest/EUR?symbols=all")
        }
    }

    /// What a gateway answers: the newest table, fresh for two intervals.
    static func answer(of gateway: Int, at: Int64) -> Asked {
        let fetched = at / interval * interval
        return Asked(
            gateway: gateway, at: at, snapshot: id(fetched), fetchedAt: fetched,
            freshUntil: fetched + 2 * interval, dataTime: fetched, age: (at - fetched) / 1_000)
    }

    static func id(_ fetched: Int64) -> String {
        SnapshotID(fetchedAt: UnixMilliseconds(start + fetched), digest: [1, 2, 3, 4]).text
    }

    static func range(_ from: Int64, _ to: Int64) -> Range<Int64> { start + from..<start + to }

    /// Changes the answers that were asked for in a time, of one gateway or of both.
    mutating func change(_ time: Range<Int64>, of gateway: Int? = nil, _ change: (inout Asked) -> Void) {
        for index in asked.indices where time.contains(asked[index].at) {
            if gateway == nil || asked[index].gateway == gateway { change(&asked[index]) }
        }
    }

    /// Lets a gateway go on with the table it had, from a time on.
    mutating func freeze(_ time: Range<Int64>, of gateway: Int? = nil, state: String? = nil) {
        change(time, of: gateway) { asked in
            let fetched = max(0, time.lowerBound - 1) / Self.interval * Self.interval
            asked.snapshot = Self.id(fetched)
            asked.fetchedAt = fetched
            asked.freshUntil = fetched + 2 * Self.interval
            asked.dataTime = fetched
            asked.age = (asked.at - fetched) / 1_000
            let isFresh = asked.at < asked.freshUntil
            asked.state = isFresh ? "fresh" : "stale"
            asked.reason = isFresh ? nil : "upstream_error"
        }
    }

    var check: PromiseCheck {
        var check = PromiseCheck(terms, answers: asked.map(Self.sample), calls: calls, ledger: ledger)
        // The data time of each table is when it was fetched.
        for at in stride(from: 0, to: Self.length, by: Int(Self.interval)) {
            check.digits[UnixMilliseconds(Self.start + Int64(at)).rfc3339] = "1.0851"
        }
        check.secrets = secrets
        check.writings = writings
        return check
    }

    private static func sample(_ asked: Asked) -> SteadyLoad.Sample {
        SteadyLoad.Sample(
            gateway: asked.gateway, wall: start + asked.at, at: .milliseconds(asked.at),
            latency: asked.latency, reading: asked.status.map { reading(asked, status: $0) }, idle: asked.idle
        )
    }

    private static func reading(_ asked: Asked, status: Int) -> RateReading {
        func time(_ at: Int64) -> String { UnixMilliseconds(start + at).rfc3339 }
        var cache = ["fetched_at": time(asked.fetchedAt), "fresh_until": time(asked.freshUntil)]
        cache["state"] = asked.state
        cache["reason"] = asked.reason
        cache["snapshot"] = asked.snapshot
        var body: [String: Any] = ["cache": cache]
        body["source"] = asked.source
        body["data_updated_at"] = asked.dataTime.map(time)
        var fields = [
            ("age", "\(asked.age)"), ("cache-control", "private, max-age=4, stale-if-error=\(asked.window)"),
        ]
        for (name, value) in [
            ("fx-source", asked.source), ("fx-state", asked.fieldState ?? asked.state),
            ("fx-snapshot", asked.snapshot), ("fx-cooldown-until", asked.cooldownUntil.map(time)),
            ("fx-note", asked.note),
        ] {
            if let value { fields.append((name, value)) }
        }
        // No number of Foundation's: the digits are to stay as they are.
        body["rates"] = "@"
        let json = (try? JSONSerialization.data(withJSONObject: body)) ?? Data()
        let text = String(decoding: json, as: UTF8.self).replacing("\"@\"", with: "{\"USD\":\(asked.digits)}")
        let bytes = Array(text.utf8)
        return RateReading(
            RawHTTPClient.Answer(status: status, fields: fields.map { ($0.0, $0.1) }, body: bytes))
    }
}
