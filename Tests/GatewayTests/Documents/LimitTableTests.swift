import CacheLayer
import Testing

/// The table of `docs/limits.md`: what each form of `Retry-After` comes to with each error code.
@Suite("Limits, by the table of the documents")
struct LimitTableTests {
    /// 2026-03-10T14:00:00Z.
    private static let now = UnixMilliseconds(1_773_151_200_000)

    private struct Row {
        let name: String
        let retryAfter: String?
        var date: String?
    }

    private static let rows = [
        Row(name: "`120`", retryAfter: "120"),
        Row(name: "`Tue, 10 Mar 2026 14:02:00 GMT`", retryAfter: "Tue, 10 Mar 2026 14:02:00 GMT"),
        Row(name: "`Tuesday, 10-Mar-26 14:02:00 GMT`", retryAfter: "Tuesday, 10-Mar-26 14:02:00 GMT"),
        Row(name: "`Tue Mar 10 14:02:00 2026`", retryAfter: "Tue Mar 10 14:02:00 2026"),
        Row(
            name: "a date 120 s ahead of upstream's `Date`, which is 60 s behind ours",
            retryAfter: "Tue, 10 Mar 2026 14:01:00 GMT", date: "Tue, 10 Mar 2026 13:59:00 GMT"),
        Row(name: "`0`", retryAfter: "0"), Row(name: "`-5`", retryAfter: "-5"),
        Row(name: "`Tue, 10 Mar 2015 14:02:00 GMT`", retryAfter: "Tue, 10 Mar 2015 14:02:00 GMT"),
        Row(name: "`3469`", retryAfter: "3469"), Row(name: "`99999999999`", retryAfter: "99999999999"),
        Row(name: "`99999999999999999999999`", retryAfter: "99999999999999999999999"),
        Row(name: "`soon`", retryAfter: "soon"), Row(name: "none", retryAfter: nil),
    ]

    private static let columns: [(status: Int, code: UpstreamProblem?)] = [
        (429, .rateLimited), (429, .ipRateLimited), (429, nil), (503, .serviceUnavailable),
        (429, .quotaExceeded), (401, .invalidAPIKey), (403, .forbidden),
    ]

    @Test("U3, C076, C078, C080, C089: every form with every code comes to what the page says")
    func table() throws {
        let expected = Self.rows.map { row in
            [row.name.filter { $0 != "`" }, Self.basis(row)]
                + Self.columns.map { Self.cell(row, $0.status, $0.code) }
        }
        let shown = try ProjectFiles.rows("### Every form with every code", of: "docs/limits.md")
        let table = zip(Self.rows, expected).map { row, cells in
            "| \(([row.name] + cells.dropFirst()).joined(separator: " | ")) |"
        }
        #expect(shown == expected, "the table is:\n\(table.joined(separator: "\n"))")
    }

    @Test("no form and no code makes a pause that isn't sane")
    func bounds() {
        for row in Self.rows {
            for (status, code) in Self.columns {
                guard case .pause(let reading) = Self.verdict(Self.answer(row, status, code)) else {
                    #expect(code == .forbidden || status == 503)
                    continue
                }
                switch reading.scope {
                case .short: #expect(CooldownReading.range.contains(reading.wait))
                case .key: #expect(reading.wait == .seconds(3_600))
                case .month: #expect(reading.wait > .zero && reading.wait <= .seconds(32 * 86_400))
                }
            }
        }
    }

    @Test("each code gives its pause the reason that stands over its column")
    func reasons() throws {
        let shown = try ProjectFiles.rows("### Reasons", of: "docs/limits.md")
        let expected = Self.columns.map { status, code in
            let reading = Self.pause(LimitAnswer(status: status, code: code, retryAfter: "120"))
            return [
                "\(status) \(code?.rawValue ?? "no code")", reading?.scope.rawValue ?? "none",
                reading?.reason.rawValue ?? "forbidden",
            ]
        }
        #expect(shown == expected)
    }

    /// What the length of a plain 429's pause is taken from.
    private static func basis(_ row: Row) -> String {
        pause(answer(row, 429, nil))?.basis.rawValue ?? "none"
    }

    private static func verdict(_ answer: LimitAnswer) -> UpstreamVerdict {
        UpstreamVerdict(answer, of: .latest(base: .usd), now: now)
    }

    private static func pause(_ answer: LimitAnswer) -> CooldownReading? {
        if case .pause(let pause) = verdict(answer) { pause } else { nil }
    }

    private static func answer(_ row: Row, _ status: Int, _ code: UpstreamProblem?) -> LimitAnswer {
        LimitAnswer(status: status, code: code, retryAfter: row.retryAfter, date: row.date)
    }

    private static func cell(_ row: Row, _ status: Int, _ code: UpstreamProblem?) -> String {
        let verdict = verdict(answer(row, status, code))
        guard case .pause(let reading) = verdict else {
            return verdict == .refused ? "kind closed" : "no pause"
        }
        let bound = reading.bound.map { $0 == .raisedToFloor ? ", floor" : ", ceiling" } ?? ""
        switch reading.scope {
        case .short: return "\(reading.wait.components.seconds) s\(bound)"
        case .key: return "key, \(reading.wait.components.seconds) s"
        case .month: return "to \((now + reading.wait).rfc3339)"
        }
    }
}
