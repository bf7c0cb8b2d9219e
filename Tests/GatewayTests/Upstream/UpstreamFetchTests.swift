import CacheLayer
import EventLoop
import Foundation
import Telemetry
import TestSupport
import Testing

@testable import FXGateway

@Suite("One call to upstream", .timeLimit(.minutes(3)))
struct UpstreamFetchTests {
    /// 2026-03-10T14:00:00Z.
    private static let now = UnixMilliseconds(1_773_151_200_000)
    private static let date = ("Date", "Tue, 10 Mar 2026 14:00:00 GMT")
    private static let usd = Resource.latest(base: .usd)

    /// What one answer comes to, with what was logged and counted, and what was asked.
    private func fetch(
        _ resource: Resource = usd, _ step: RawHTTPServerStep, at now: UnixMilliseconds = now,
        held: RateTable? = nil
    ) async throws -> (outcome: FetchOutcome, log: String, counters: UpstreamCounters, target: String) {
        let lines = Locked<[String]>([])
        let counters = UpstreamCounters()
        return try await RawHTTPServer.run([step]) { server in
            let transport = try UpstreamTransport(
                UpstreamAddress("http://127.0.0.1:\(server.port)"), key: Secret("FXKEY-TEST-123"))
            let fetch = UpstreamFetch(
                transport: transport, policy: TierPolicy(), band: .standard,
                time: ManualTime(wall: now).source,
                logger: Logger(
                    level: .trace, format: .json,
                    sink: { line in lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }),
                counters: counters)
            let outcome = await fetch(
                FetchOrder(
                    resource: resource, limit: .seconds(5), held: held, interval: .seconds(60),
                    storeNow: { now }, mayStart: { true }))
            return (
                outcome, lines.withLock { $0.joined() }, counters, server.requests.first?.line ?? ""
            )
        }
    }

    private func evidence(
        _ fields: [(String, String)], at now: UnixMilliseconds = now
    ) async throws -> (UpstreamEvidence?, UpstreamCounters) {
        let body =
            #"{"result":"success","base":"USD","source":"live","data_updated_at":"2026-03-10T13:59:00Z","rates":{"EUR":0.9}}"#
        let (outcome, _, counters, _) = try await fetch(
            .latest(base: .usd), .json(body, fields: fields), at: now)
        guard case .answered(_, let evidence) = outcome else { return (nil, counters) }
        return (evidence, counters)
    }

    // MARK: The last call

    @Test(
        "the last call of each resource is kept: outcome, status, code, reason, and nothing of the body",
        arguments: [
            (
                "200 OK",
                #"{"result":"success","base":"USD","source":"live","data_updated_at":"2026-03-10T13:59:00Z","rates":{"EUR":0.9}}"#,
                RefreshCounters.UpstreamResult.ok, 200, nil, nil
            ),
            (
                "429 Too Many Requests", #"{"result":"error","code":"rate_limited","message":"x"}"#, .limited,
                429,
                .rateLimited, "rate_limited"
            ),
            ("403 Forbidden", #"{"result":"error","code":"forbidden"}"#, .forbidden, 403, .forbidden, nil),
            (
                "500 Broken", #"{"result":"error","code":"internal_error"}"#, .failed, 500, .internalError,
                "not_2xx"
            ),
            ("200 OK", "{", .failed, 200, nil, "not_json"),
        ] as [(String, String, RefreshCounters.UpstreamResult, Int, UpstreamProblem?, String?)])
    func lastCall(
        status: String, body: String, result: RefreshCounters.UpstreamResult, number: Int,
        code: UpstreamProblem?, reason: String?
    ) async throws {
        let calls = LastCalls()
        try await RawHTTPServer.run([.json(body, status: status)]) { server in
            let fetch = try Self.fetch(through: server.transport(), into: calls)
            _ = await fetch(Self.order(Self.usd))
        }
        let kept = try #require(calls.all[Self.usd])
        #expect(kept.at == Self.now && kept.duration == .zero && calls.all.count == 1)
        #expect(kept.result == result && kept.status == number && kept.code == code)
        #expect(kept.reason == reason)
    }

    @Test(
        "a call that brought no answer is kept without a status; one that was never made isn't; few are kept")
    func lastCalls() async throws {
        let calls = LastCalls()
        let transport = try UpstreamTransport(UpstreamAddress("http://127.0.0.1:1"), key: nil)
        let fetch = Self.fetch(through: transport, into: calls)
        _ = await fetch(Self.order(Self.usd, mayStart: false))
        #expect(calls.all.isEmpty)
        _ = await fetch(Self.order(Self.usd))
        let kept = try #require(calls.all[Self.usd])
        #expect(kept.result == .failed && kept.status == nil && kept.reason == "refused")
        for year in 1_999..<(1_999 + 2 * LastCalls.most) {
            let at = Self.now + .seconds(year)
            calls.note(
                CallRecord(at: at, result: .ok, status: 200, code: nil, reason: nil, duration: .zero),
                of: .year(base: .usd, year: year))
        }
        #expect(calls.all.count == LastCalls.most && calls.all[Self.usd] == nil)
        #expect(calls.all[.year(base: .usd, year: 1_998 + 2 * LastCalls.most)] != nil)
    }

    private static func fetch(through transport: UpstreamTransport, into calls: LastCalls) -> UpstreamFetch {
        UpstreamFetch(
            transport: transport, policy: TierPolicy(), band: .standard, time: ManualTime(wall: now).source,
            logger: .silent, counters: UpstreamCounters(), calls: calls)
    }

    private static func order(_ resource: Resource, mayStart: Bool = true) -> FetchOrder {
        FetchOrder(
            resource: resource, limit: .seconds(5), held: nil, interval: .seconds(60), storeNow: { now },
            mayStart: { mayStart })
    }

    // MARK: Jumps

    @Test("C035: a jump is one line and one count, without the rates; so is its confirmation")
    func jump() async throws {
        func body(_ rate: String) -> String {
            #"{"result":"success","base":"USD","source":"live","data_updated_at":"2026-03-10T13:59:00Z","rates":{"XAU":"#
                + rate + #","EUR":0.9}}"#
        }
        var held: RateTable?
        for (rate, line, outcome) in [
            ("0.000241", "", nil), ("0.000723", "rates jumped and are held back", .heldBack),
            ("0.000724", "", nil), ("0.000725", "rates that were held back have been confirmed", .confirmed),
            ("0.000241", "rates jumped and are held back", .heldBack), ("0.000726", "", .dismissed),
        ] as [(String, String, UpstreamCounters.Quarantine?)] {
            let (answer, log, counters, _) = try await fetch(
                .latest(base: .usd), .json(body(rate)), held: held)
            guard case .answered(let ingested, _) = answer else {
                Issue.record("\(rate): \(answer)")
                return
            }
            held = ingested.table
            #expect(line.isEmpty ? log.isEmpty : log.contains(line), "\(rate): \(log)")
            #expect(log.isEmpty || log.contains("XAU") && !log.contains("0.000"))
            for one in UpstreamCounters.Quarantine.allCases {
                #expect(counters.quarantine.value(one) == (one == outcome ? 1 : 0), "\(rate)")
            }
        }
    }

    @Test("U13: a change of class is a line and a count; an unknown class is counted each time and told once")
    func classes() async throws {
        func body(_ source: String) -> String {
            #"{"result":"success","base":"USD","source":"\#(source)","data_updated_at":"2026-03-10T13:59:00Z","rates":{"EUR":0.9}}"#
        }
        let first = try await fetch(.latest(base: .usd), .json(body("live")))
        guard case .answered(let held, _) = first.outcome else {
            Issue.record("\(first.outcome)")
            return
        }
        #expect(first.log.isEmpty)
        let moved = try await fetch(.latest(base: .usd), .json(body("ecb_daily")), held: held.table)
        #expect(moved.log.contains("symbols have changed their class"))
        #expect(moved.log.contains("live to ecb_daily") && moved.counters.classChanges.value == 1)
        let strange = try await fetch(.latest(base: .usd), .json(body("metals")))
        #expect(strange.log.contains("isn't known here") && strange.log.contains("metals"))
        #expect(strange.counters.unknownSources.value == 1 && strange.counters.classChanges.value == 0)
        #expect(strange.counters.newSources(["metals", "spot"]) == ["spot"])
        let many = (0..<100).map { "class-\($0)" }
        #expect(strange.counters.newSources(many).count == 30)
    }

    // MARK: Evidence

    @Test("U15: what remains counts only where it is the month's, and what can't be told is counted")
    func remaining() async throws {
        for (remaining, reset, expected, ignored) in [
            // The month, the minute, the hour.
            ("42", "1775001600", 42, 0), ("3", "1773151230", nil, 0), ("7", "1773154000", nil, 0),
            // Neither, no reset, out of a cache of last month.
            ("5", "1773251200", nil, 1), ("5", nil, nil, 1), ("5", "1772323200", nil, 1),
            ("many", "1775001600", nil, 0), (nil, "1775001600", nil, 0),
        ] as [(String?, String?, Int64?, Int)] {
            var fields = [Self.date]
            if let remaining { fields.append(("X-RateLimit-Remaining", remaining)) }
            if let reset { fields.append(("X-RateLimit-Reset", reset)) }
            let (evidence, counters) = try await evidence(fields)
            #expect(evidence == UpstreamEvidence(left: expected), "\(remaining ?? "-") \(reset ?? "-")")
            #expect(counters.evidenceIgnored.value(.unknownWindow) == ignored)
        }
    }

    @Test(
        "U16: a month by upstream's clock that isn't the store's, or within seconds of its edge, is left aside"
    )
    func otherMonth() async throws {
        // 2026-03-31T23:59:00Z by the store.
        let store = UnixMilliseconds(1_775_001_540_000)
        for (date, isTaken) in [
            ("Tue, 31 Mar 2026 23:50:00 GMT", true), ("Tue, 31 Mar 2026 23:59:56 GMT", false),
            ("Wed, 01 Apr 2026 00:00:30 GMT", false),
        ] {
            let body =
                #"{"usage":{"calls_this_month":7,"limit":10000}}"#
            let (outcome, _, counters, _) = try await fetch(
                .account, .json(body, fields: [("Date", date)]), at: store)
            guard case .told(let evidence) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(evidence == (isTaken ? UpstreamEvidence(used: 7, limit: 10_000) : .none), "\(date)")
            #expect(counters.evidenceIgnored.value(.otherMonth) == (isTaken ? 0 : 1))
        }
    }

    @Test("P8: of the account three numbers leave the parser; e-mail, organisation and key nowhere")
    func account() async throws {
        let body = """
            {"result":"success","email":"dev@example.com","org":"Example GmbH","key":"exr_live_SECRET",\
            "usage":{"calls_this_month":1234,"limit":10000,"resets_on":"2026-04-01"}}
            """
        let (outcome, log, _, target) = try await fetch(.account, .json(body, fields: [Self.date]))
        #expect(target == "GET /v1/account HTTP/1.1")
        guard case .told(let evidence) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(evidence == UpstreamEvidence(used: 1_234, limit: 10_000))
        for secret in ["dev@example.com", "Example GmbH", "SECRET", "FXKEY"] {
            #expect(!"\(outcome)".contains(secret) && !log.contains(secret))
            let usage = AccountUsage(body: Array(body.utf8))
            #expect(!String(reflecting: usage).contains(secret))
        }
    }

    @Test("an account that isn't of the known form is a failed call, counted, and shown to nobody")
    func strangeAccount() async throws {
        for body in [
            "", "[]", "{}", #"{"usage":{}}"#, #"{"usage":{"calls_this_month":"12"}}"#,
            #"{"usage":{"calls_this_month":-1}}"#, #"{"usage":{"calls_this_month":1.0}}"#,
            #"{"usage":{"calls_this_month":1e3}}"#, #"{"usage":{"calls_this_month":12345678901}}"#,
            #"{"usage":{"calls_this_month":1,"limit":0}}"#, #"{"usage":{"calls_this_month":1,"limit":"9"}}"#,
            #"{"usage":{"calls_this_month":1,"resets_on":"soon"}}"#,
            #"{"usage":{"calls_this_month":1,"resets_on":"2026-02-30"}}"#,
            #"{"result":"error","usage":{"calls_this_month":1}}"#, "<html>dev@example.com</html>",
        ] {
            let (outcome, log, counters, _) = try await fetch(.account, .json(body, fields: [Self.date]))
            guard case .failed("account_unreadable", _) = outcome else {
                Issue.record("\(body): \(outcome)")
                continue
            }
            #expect(counters.evidenceIgnored.value(.unreadable) == 1)
            #expect(!log.contains("example"))
        }
        // The count of another month says nothing of this one.
        let old = #"{"usage":{"calls_this_month":9999,"resets_on":"2026-03-01"}}"#
        let (outcome, _, counters, _) = try await fetch(.account, .json(old, fields: [Self.date]))
        guard case .told(.none) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(counters.evidenceIgnored.value(.otherMonth) == 1)
    }

    // MARK: Limits

    @Test(
        "C049, C056, C085, C089, C192: what each refusal comes to, with nothing of its body in the log",
        arguments: [
            ("401 Unauthorized", #"{"error":"invalid key FXKEY-TEST-123"}"#, "denied unauthorized"),
            ("403 Forbidden", #"{"error":true,"status":403,"message":"not_allowed"}"#, "denied forbidden"),
            ("403 Forbidden", "<html>maintenance</html>", "denied forbidden"),
            ("401 Unauthorized", #"{"code":"auth_unavailable"}"#, "denied unchecked"),
            ("503 Unavailable", #"{"code":"auth_unavailable"}"#, "denied unchecked"),
            ("401 Unauthorized", #"{"code":"key_revoked"}"#, "key 3600 key_rejected"),
            ("403 Forbidden", #"{"code":"invalid_key"}"#, "key 3600 key_rejected"),
            ("200 OK", #"{"result":"error","code":"rate_limited"}"#, "short 120 rate_limited"),
            ("403 Forbidden", #"{"result":"error","code":"rate_limited"}"#, "short 120 rate_limited"),
            ("503 Unavailable", #"{"result":"error","code":"ip_rate_limited"}"#, "short 120 rate_limited"),
            ("402 Pay", "<html>maintenance</html>", "forbidden"),
            ("422 No", #"{"result":"error","code":"unsupported_base"}"#, "forbidden"),
            ("403 Forbidden", #"{"result":"error","code":"forbidden","message":"plan"}"#, "forbidden"),
            ("200 OK", #"{"success":false,"error":{"code":105,"info":"no base"}}"#, "forbidden"),
            (
                "200 OK", #"{"success":false,"error":{"code":104,"info":"monthly usage limit reached"}}"#,
                "month 1850405 quota_exceeded"
            ),
            (
                "403 Forbidden", #"{"result":"error","code":"quota_exceeded"}"#,
                "month 1850405 quota_exceeded"
            ),
            ("429 Too Many", #"{"error":"too many requests"}"#, "short 120 rate_limited"),
            ("503 Unavailable", "maintenance", "short 120 unavailable"), ("500 Oh", "no", "failed not_2xx"),
            ("404 Not Found", #"{"error":{"code":403}}"#, "failed not_2xx"),
        ])
    func refusals(status: String, body: String, expected: String) async throws {
        for resource in [Self.usd, .account] {
            let (outcome, log, _, _) = try await fetch(
                resource, .json(body, status: status, fields: [Self.date, ("Retry-After", "120")]))
            let said =
                switch outcome {
                case .limited(let scope, let wait, let reason):
                    "\(scope.rawValue) \(wait.components.seconds) \(reason)"
                case .forbidden: "forbidden"
                case .denied(let denial): "denied \(denial)"
                case .failed: "failed not_2xx"
                case .unsent, .answered, .told, .older, .cutOff: "\(outcome)"
                }
            #expect(said == expected, "\(resource)")
            for text in ["FXKEY", "monthly usage", "maintenance", "too many requests", "no base"] {
                #expect(!log.contains(text))
            }
        }
    }
}
