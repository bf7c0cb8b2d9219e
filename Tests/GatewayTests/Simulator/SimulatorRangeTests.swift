import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Simulator ranges")
struct SimulatorRangeTests {
    private struct Row: Equatable {
        let date: String
        let isForwardFilled: Bool
    }

    private func rows(_ answer: PlannedAnswer) throws -> [Row] {
        let data = try #require(try answer.object()["data"] as? [[String: Any]])
        return data.map {
            Row(
                date: $0["date"] as? String ?? "", isForwardFilled: $0["is_forward_filled"] as? Bool ?? false)
        }
    }

    @Test("weekends are no rows, holidays are filled ones")
    func easter() throws {
        var bench = try SimulatorBench()
        let answer = bench.get(
            "/v1/range?base=USD&symbols=EUR,GBP&start_date=2026-03-30&end_date=2026-04-10")
        let rows = try rows(answer)
        #expect(rows.count == 10)
        #expect(rows.filter(\.isForwardFilled).map(\.date) == ["2026-04-03", "2026-04-06"])
        #expect(answer.text.contains("{\"date\":\"2026-03-30\",\"rates\":{\"EUR\":"))
        #expect(answer.text.hasSuffix("\"has_more\":false,\"next_cursor\":null}"))
        #expect(
            try self.rows(
                bench.get("/v1/range?base=USD&symbols=EUR&start_date=2026-06-13&end_date=2026-06-14")
            ).isEmpty)
    }

    @Test("today is a row once its fix is out, the future never is")
    func today() throws {
        var bench = try SimulatorBench()
        let target = "/v1/range?base=EUR&symbols=USD&start_date=2026-10-26&end_date=2026-12-31"
        #expect(try rows(bench.get(target)).last?.date == "2026-10-27")
        bench.pass(.seconds(5 * 3_600))
        #expect(try rows(bench.get(target)).last?.date == "2026-10-28")
    }

    @Test("pages of 366 rows join without gap or overlap")
    func paging() throws {
        var bench = try SimulatorBench()
        let target = "/v1/range?base=EUR&symbols=USD&start_date=2022-01-01&end_date=2026-10-28"
        var dates: [String] = []
        var sizes: [Int] = []
        var cursor: String?
        repeat {
            let answer = bench.get(target + (cursor.map { "&cursor=\($0)" } ?? ""))
            let page = try rows(answer)
            dates += page.map(\.date)
            sizes.append(page.count)
            let body = try answer.object()
            cursor = body["next_cursor"] as? String
            #expect((cursor != nil) == (body["has_more"] as? Bool == true))
        } while cursor != nil
        #expect(sizes.dropLast().allSatisfy { $0 == 366 })
        #expect(dates == Array(Set(dates)).sorted())
        let start = CalendarDay(year: 2022, month: 1, day: 1).number
        let weekdays = (start...CalendarDay(year: 2026, month: 10, day: 27).number).filter {
            !CalendarDay(number: $0).isWeekend
        }
        #expect(dates.count == weekdays.count)
    }

    @Test("exactly 366 rows are one page")
    func fullPage() throws {
        var bench = try SimulatorBench()
        let start = CalendarDay(year: 2024, month: 1, day: 1)
        // 73 weeks of five rows, and one more.
        for (days, hasMore) in [(73 * 7, false), (73 * 7 + 1, true)] {
            let end = (start + days).text
            let answer = bench.get(
                "/v1/range?base=EUR&symbols=USD&start_date=\(start.text)&end_date=\(end)")
            #expect(try rows(answer).count == 366)
            #expect(try answer.object()["has_more"] as? Bool == hasMore)
        }
    }

    @Test("comma-separated values come in one piece")
    func csv() throws {
        var bench = try SimulatorBench()
        let answer = bench.get(
            "/v1/range?base=EUR&symbols=USD,HRK&start_date=2021-01-01&end_date=2023-12-31&format=csv")
        #expect(answer.header("Content-Type") == "text/csv")
        let lines = answer.text.split(separator: "\n")
        #expect(lines[0] == "date,USD,HRK,source,is_forward_filled")
        #expect(lines[1].hasPrefix("2021-01-01,1.2271,7.5519,ecb_daily,true"))
        #expect(lines.last?.contains(",,ecb_daily,") == true)
        #expect(lines.count == 1 + 261 + 260 + 260)
    }
}
