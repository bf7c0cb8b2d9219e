import CacheLayer
import Glibc
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("History")
    struct History {
        /// A day, or a span of days, of a pair.
        private struct Question: Hashable {
            let base: String
            let quote: String
            let start: String
            /// Nil for a day.
            let end: String?

            var target: String {
                guard let end else { return "/v1/\(start)/\(base)?symbols=\(quote)" }
                return "/v1/range?base=\(base)&symbols=\(quote)&start_date=\(start)&end_date=\(end)"
            }

            var years: ClosedRange<Int> {
                (Int(start.prefix(4)) ?? 0)...(Int((end ?? start).prefix(4)) ?? 0)
            }
        }

        /// Numbers from a seed that a failure can name (SplitMix64).
        private struct SplitMix: RandomNumberGenerator {
            var state: UInt64

            mutating func next() -> UInt64 {
                state &+= 0x9E37_79B9_7F4A_7C15
                var mixed = state
                mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
                mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                return mixed ^ (mixed >> 31)
            }
        }

        /// Distinct questions: half of them days, half spans, mostly of weeks and some of up to seventeen months, all of which are
        /// one page.
        private static func questions(_ count: Int, _ oracle: ECBOracle, seed: UInt64) -> [Question] {
            var numbers = SplitMix(state: seed)
            let first = CivilDate(year: 1999, month: 1, day: 4)?.daysSince1970 ?? 0
            let last = CivilDate(year: 2026, month: 10, day: 30)?.daysSince1970 ?? 0
            var questions: Set<Question> = []
            while questions.count < count {
                let base = oracle.codes.randomElement(using: &numbers) ?? "EUR"
                let quote = oracle.codes.randomElement(using: &numbers) ?? "USD"
                guard base != quote else { continue }
                let start = Int.random(in: first...last, using: &numbers)
                let length = Int.random(in: 0..<(questions.count % 20 == 1 ? 500 : 60), using: &numbers)
                let end = min(last, start + length)
                questions.insert(
                    Question(
                        base: base, quote: quote, start: CivilDate(daysSince1970: start).text,
                        end: questions.count % 2 == 0 ? nil : CivilDate(daysSince1970: end).text))
            }
            return questions.sorted { $0.target < $1.target }.shuffled(using: &numbers)
        }

        @Test(
            "distinct days and spans of random pairs since 1999 cost one call a year, and every value is the bank's",
            .timeLimit(.minutes(4)), arguments: [("EUR", 500), ("USD", 150)])
        func random(pivot: String, count: Int) async throws {
            let oracle = try ECBOracle()
            let seed = UInt64.random(in: 0...UInt64.max)
            let questions = Self.questions(count, oracle, seed: seed)
            let options = FleetOptions { options in
                options.gateways = 2
                options.environment["FXGW_BASES"] = pivot
                options.upstream.mode = .ecb
                options.upstream.shiftWeeks = 0
                options.upstream.clock = SimulatedTime(parsing: "2026-10-30T18:00:00Z")
            }
            try await FleetTests.run(options) { fleet in
                var faults: [String] = []
                var years: Set<Int> = []
                var values = 0
                var tags: [Question: String] = [:]
                for (index, question) in questions.enumerated() {
                    years.formUnion(question.years)
                    let gateway = fleet.gateways[index % 2]
                    let answer = try await gateway.ask("GET", question.target, within: .seconds(20))
                    let check = Check(pivot: pivot, oracle: oracle)
                    let (count, found) = check.faults(
                        answer, base: question.base, quote: question.quote, start: question.start,
                        end: question.end)
                    values += count
                    faults += found.map { "\(question.target): \($0)" }
                    tags[question] = answer.field("etag")
                }
                #expect(faults.isEmpty, "seed \(seed), \(faults.count) faults: \(faults.prefix(5))")
                #expect(values > count * 5, "only \(values) values were compared")
                // A page holds 366 rows, and no year has more days.
                let calls = fleet.simulator.log.filter { $0.target.hasPrefix("/v1/range") }
                #expect(calls.count <= years.count, "\(calls.count) calls for \(years.count) years")
                #expect(Set(calls.map(\.target)).count == calls.count)
                // Asked of the other one, each has the same tag, and nothing more is asked for.
                for (index, question) in questions.prefix(40).enumerated() {
                    let gateway = fleet.gateways[(index + 1) % 2]
                    let answer = try await gateway.ask("HEAD", question.target)
                    #expect(answer.field("etag") == tags[question], "\(question.target)")
                }
                #expect(fleet.simulator.log.count { $0.target.hasPrefix("/v1/range") } == calls.count)
                #expect(fleet.simulator.counts.maxInFlight == 1)
                let used = try #require(try fleet.used())
                #expect(used >= fleet.calls)
            }
        }

        @Test("a currency's last fix is carried over New Year, and not a day longer", .timeLimit(.minutes(3)))
        func carriedOver() async throws {
            let options = FleetOptions { options in
                options.gateways = 1
                options.upstream.mode = .ecb
                options.upstream.shiftWeeks = 0
                options.upstream.clock = SimulatedTime(parsing: "2026-10-30T18:00:00Z")
            }
            try await FleetTests.run(options) { fleet in
                for (day, status) in [("2008-12-31", 200), ("2009-01-01", 200), ("2009-01-02", 404)] {
                    let answer = try await fleet.gateways[0].ask(
                        "GET", "/v1/\(day)/EUR?symbols=SKK", within: .seconds(20))
                    #expect(answer.status == status, "\(day): \(answer.text)")
                    if status == 200 { #expect(answer.text.contains("\"SKK\":30.126}"), "\(answer.text)") }
                }
            }
        }

        @Test("years outlive the processes that fetched them, in Redis", .timeLimit(.minutes(3)))
        func restart() async throws {
            let options = FleetOptions { options in
                options.gateways = 1
                options.upstream.mode = .ecb
            }
            try await FleetTests.run(options) { fleet in
                let first = try await fleet.gateways[0].ask(
                    "GET", "/v1/2012-02-29/USD?symbols=JPY", within: .seconds(20))
                #expect(first.status == 200)
                let lifetime = try #require(try fleet.keys()["snap:year:EUR:2012"])
                #expect(lifetime > 3_650 * 86_400_000)
                #expect(try fleet.keys().keys.filter { $0.hasPrefix("archive:") }.count == 1)
                let calls = fleet.calls
                _ = try await fleet.gateways[0].end(by: SIGTERM, within: .seconds(15))
                let second = try await fleet.add()[0]
                let again = try await second.ask(
                    "GET", "/v1/2012-02-29/USD?symbols=JPY", within: .seconds(20))
                #expect(again.body == first.body && again.field("etag") == first.field("etag"))
                #expect(fleet.calls == calls)
            }
        }
    }

    /// Compares an answer with the bank's file.
    private struct Check {
        let pivot: String
        let oracle: ECBOracle

        /// How many values were compared, and what is wrong with them.
        func faults(
            _ answer: RawHTTPClient.Answer, base: String, quote: String, start: String, end: String?
        ) -> (Int, [String]) {
            guard let body = try? JSONTree.parse(answer.body) else { return (0, ["no JSON: \(answer.text)"]) }
            let bound = body["cache"]?["derivation_bps_max"]?.number.flatMap { Double($0) }
            guard let end else {
                guard let day = oracle.day(onOrBefore: start), day.rates[base] != nil, day.rates[quote] != nil
                else {
                    return (1, answer.status == 404 ? [] : ["\(answer.status) instead of 404"])
                }
                guard answer.status == 200 else { return (0, ["\(answer.status): \(answer.text)"]) }
                let isFilled = day.isForwardFilled || day.date != start
                return (
                    1,
                    fault(body["rates"]?[quote]?.number, day, base, quote, bound).map { [$0] } ?? []
                        + (body["is_forward_filled"] == .bool(isFilled) ? [] : ["filled is wrong"])
                )
            }
            guard answer.status == 200, let rows = body["data"]?.elements else {
                return (0, ["\(answer.status): \(answer.text)"])
            }
            let expected = oracle.rows(start, end, base, quote)
            guard rows.compactMap({ $0["date"]?.string }) == expected.map(\.date) else {
                return (0, ["\(rows.count) rows instead of \(expected.count)"])
            }
            var faults: [String] = []
            for (row, day) in zip(rows, expected) {
                if let fault = fault(row["rates"]?[quote]?.number, day, base, quote, bound) {
                    faults.append(fault)
                }
                if row["is_forward_filled"] != .bool(day.isForwardFilled) {
                    faults.append("\(day.date): filled")
                }
            }
            return (rows.count, faults)
        }

        /// What is wrong with one value; nil if it is the bank's.
        ///
        /// A euro rate of the euro's own tables has the bank's digits. What upstream itself computes is rounded by it to six
        /// digits, and what the gateway computes of that is within the bound that it states; of the bank's own digits it is
        /// exact to the eighteenth.
        private func fault(
            _ text: String?, _ day: ECBOracle.Day, _ base: String, _ quote: String, _ bound: Double?
        ) -> String? {
            guard let text, let value = ECBOracle.Digits(text),
                let from = day.rates[base].flatMap({ ECBOracle.Digits($0) }),
                let to = day.rates[quote].flatMap({ ECBOracle.Digits($0) })
            else { return "\(day.date): no value" }
            if base == "EUR", pivot == "EUR" {
                return text == day.rates[quote] ? nil : "\(day.date): \(text) isn't \(day.rates[quote] ?? "")"
            }
            let error = ECBOracle.error(of: value, from: from, to: to)
            let most: Double
            if pivot == "EUR" {
                // Half a unit of the eighteenth digit.
                most = 5.01e-18
            } else if base == pivot {
                most = 5.01e-6
            } else if let bound {
                // Basis points; both of the legs were rounded once.
                most = bound * 1e-4
            } else {
                return "\(day.date): derived without a bound"
            }
            return error <= most ? nil : "\(day.date): \(text) is off by \(error), more than \(most)"
        }
    }
}
