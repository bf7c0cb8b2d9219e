import CacheLayer
import Testing

@testable import FXGateway

@Suite("Routes of past days")
struct HistoryGrammarTests {
    private func parse(_ target: String) -> Result<Route, Problem> {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = Array((parts.count == 2 ? String(parts[1]) : "").utf8)
        return Array(parts[0].utf8).withUnsafeBytes { path in
            query.withUnsafeBytes { query in
                do throws(Problem) {
                    return .success(try Route.parse(try RoutePath(path), query: query).route)
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    private func selection(_ target: String) -> Selection? {
        guard case .success(.selection(let selection)) = parse(target) else { return nil }
        return selection
    }

    private func problem(_ target: String) -> Problem? {
        guard case .failure(let problem) = parse(target) else { return nil }
        return problem
    }

    private let date = CivilDate(year: 2026, month: 3, day: 11)

    @Test(
        "a day is one selection, however it is written",
        arguments: [
            "/v1/2026-03-11/USD?symbols=EUR,GBP", "/v1/2026-03-11?symbols=gbp,eur",
            "/v1/2026-03-11?base=usd&symbols=EUR,GBP,EUR", "/v1/2026%2D03-11/usd?symbols=EUR%2CGBP&x=1",
        ])
    func oneDay(target: String) throws {
        #expect(
            selection(target)
                == .day(
                    try #require(date), base: .usd, symbols: SymbolList([.eur, .gbp]), numbers: .number))
    }

    @Test(
        "what isn't a day is 400 bad_date that names it",
        arguments: [
            "2026-13-01", "2026-02-29", "2026-3-11", "2026-03-1", "20260311", "2026/03/11",
            "2026-03-11T00:00:00Z",
            "2026-03-11Z", "2026-03-11%20", "+2026-03-11", "2026-03-1%D9%A1", "02026-03-11", "2026-00-10",
            "2026-03-00",
            "0", "1e9", "99999-01-01", "2026-03-11..2026-03-12", "",
        ])
    func malformed(day: String) throws {
        for target in [
            "/v1/\(day)", "/v1/\(day)/EUR", "/v1/convert/USD/EUR/1?date=\(day)",
            "/v1/range?start_date=\(day)&end_date=2026-03-11",
            "/v1/range?start_date=1999-01-04&end_date=\(day)",
        ] {
            let isPath = !target.contains("?")
            if isPath, day.first?.isNumber != true || day.contains("/") { continue }
            let problem = try #require(self.problem(target), "\(target)")
            #expect(problem.kind == .badDate, "\(target)")
            #expect(problem.kind.status == 400)
            if let shown = day.split(separator: "%").first { #expect(problem.detail.contains(shown)) }
        }
    }

    @Test("no other path is taken for a day")
    func paths() {
        for target in [
            "/v1/today", "/v1/", "/v1/2026-03-11/USD/EUR", "/v2/2026-03-11", "/2026-03-11", "/v1/mcp",
        ] {
            #expect(problem(target)?.kind == .notFound, "\(target)")
        }
    }

    @Test("a range has a base and symbols like a table, and needs both its ends")
    func ranges() throws {
        let base = "/v1/range?base=EUR&symbols=USD&start_date=2026-01-01&end_date=2026-03-11"
        guard case .range(let range) = selection(base) else {
            Issue.record("no range")
            return
        }
        #expect(range.base == .eur && range.symbols == SymbolList([.usd]) && range.format == .json)
        #expect(range.after == nil && range.end == date)
        guard case .range(let short) = selection("/v1/range?start_date=2026-03-11&end_date=2026-03-11") else {
            Issue.record("no range")
            return
        }
        #expect(short.base == .usd && short.symbols == nil)
        #expect(problem("/v1/range?base=EUR&end_date=2026-03-11")?.kind == .missingParameter)
        #expect(problem("/v1/range?base=EUR&start_date=2026-03-11")?.kind == .missingParameter)
        #expect(problem("/v1/range")?.detail.contains("start_date") == true)
    }

    @Test(
        "a span, form, cursor or code that isn't one is 400 and named",
        arguments: [
            ("start_date=2026-03-12&end_date=2026-03-11", "2026-03-12", ProblemKind.badDate),
            ("start_date=2026-03-01&end_date=2026-03-11&format=parquet", "parquet", .invalidRequest),
            ("start_date=2026-03-01&end_date=2026-03-11&format=xml", "xml", .invalidRequest),
            ("start_date=2026-03-01&end_date=2026-03-11&format=", "format", .invalidRequest),
            ("start_date=2026-03-01&end_date=2026-03-11&cursor=abc", "abc", .invalidRequest),
            ("start_date=2026-03-01&end_date=2026-03-11&cursor=", "cursor", .invalidRequest),
            (
                "start_date=2026-03-01&end_date=2026-03-11&cursor=eyJkIjoiMjAyNi0wNC0wMyJ9", "cursor",
                .invalidRequest
            ),
            (
                "start_date=2026-03-01&start_date=2026-03-01&end_date=2026-03-11", "start_date",
                .invalidRequest
            ),
            ("start_date=2026-03-01&end_date=2026-03-11&symbols=", "symbols", .invalidRequest),
            ("start_date=2026-03-01&end_date=2026-03-11&base=EU", "EU", .invalidRequest),
            ("start_date=2026-03-01&end_date=2026-03-11&numbers=double", "double", .invalidRequest),
        ])
    func badRange(query: String, named: String, kind: ProblemKind) throws {
        let problem = try #require(self.problem("/v1/range?" + query))
        #expect(problem.kind == kind && problem.kind.status == 400)
        #expect(problem.detail.contains(named), "\(problem.detail)")
    }

    @Test("a cursor goes on behind its day, and is good for no other range")
    func cursors() throws {
        let query = "base=EUR&symbols=USD&start_date=2026-01-01&end_date=2026-03-31"
        guard case .range(let range) = selection("/v1/range?" + query) else {
            Issue.record("no range")
            return
        }
        let cursor = RangeCursor.text(after: try #require(date), of: range)
        guard case .range(let next) = selection("/v1/range?\(query)&cursor=\(cursor)") else {
            Issue.record("the cursor is refused")
            return
        }
        #expect(next.after == date)
        #expect(
            next
                == RangeQuery(
                    base: range.base, symbols: range.symbols, start: range.start, end: range.end, after: date,
                    format: range.format, numbers: range.numbers))
        // The order of symbols and the form of numbers make no other range; everything else does.
        #expect(selection("/v1/range?\(query)&cursor=\(cursor)&numbers=string") != nil)
        for other in [
            query.replacing("EUR", with: "GBP"), query.replacing("USD", with: "USD,JPY"),
            query.replacing("2026-01-01", with: "2026-01-02"), query.replacing("03-31", with: "03-30"),
        ] {
            #expect(problem("/v1/range?\(other)&cursor=\(cursor)")?.kind == .invalidRequest)
        }
        for index in cursor.indices {
            var changed = cursor
            let digit = changed.remove(at: index)
            changed.insert(digit == "1" ? "2" : "1", at: index)
            #expect(problem("/v1/range?\(query)&cursor=\(changed)")?.kind == .invalidRequest, "\(changed)")
        }
    }

    @Test("a conversion takes a date, in both forms, but not together with another past rate")
    func conversions() throws {
        guard case .convert(_, _, _, let options) = selection("/v1/convert/USD/EUR/1?date=2026-03-11") else {
            Issue.record("no conversion")
            return
        }
        #expect(options.date == date)
        guard case .success(.convertBatch(let batch)) = parse("/v1/convert?date=2026-03-11") else {
            Issue.record("no batch")
            return
        }
        #expect(batch.date == date)
        #expect(problem("/v1/convert/USD/EUR/1?as_of=2026-03-11&date=2026-03-11")?.kind == .invalidRequest)
    }
}
