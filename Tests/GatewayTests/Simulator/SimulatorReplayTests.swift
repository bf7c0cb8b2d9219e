import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Simulator replay")
struct SimulatorReplayTests {
    /// The file that is embedded, read by other means than the simulator's.
    private static let file: [[String]] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/CECBRates/ecb-rates.csv").standardized
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }()

    @Test("every row is found under its day, the digits of every column untouched")
    func allRows() throws {
        let file = Self.file
        let rates = ECBRates.embedded
        #expect(rates.rowCount == file.count - 1)
        #expect(rates.symbols == file[0].dropFirst().filter { !$0.isEmpty })
        for index in stride(from: 1, to: file.count, by: 97) {
            let day = try SimulatorBench.day(file[index][0])
            let row = try #require(rates.row(onOrBefore: day))
            #expect(rates.day(ofRow: row) == day)
            let texts = rates.texts(ofRow: row).map { $0 ?? "" }
            #expect(texts == Array(file[index][1..<(1 + texts.count)]))
        }
    }

    @Test("answers in euros carry the bank's digits on fifty random days, retired currencies included")
    func digits() throws {
        let file = Self.file
        var bench = try SimulatorBench(at: "2026-11-02T10:00:00Z", shiftWeeks: 0)
        var random = SeededNumbers(state: 42)
        for _ in 0..<50 {
            let row = file[1 + Int(random.next() % UInt64(file.count - 1))]
            let answer = bench.get("/v1/\(row[0])/EUR")
            #expect(answer.status == 200)
            for (column, symbol) in file[0].enumerated().dropFirst() where !symbol.isEmpty {
                #expect(answer.digits(of: symbol) == (row[column].isEmpty ? nil : row[column]))
            }
        }
        #expect(bench.get("/v1/2005-03-01/EUR?symbols=SKK,HRK,ROL").digits(of: "ROL") != nil)
        #expect(bench.get("/v1/1999-01-04/EUR?symbols=TRL").digits(of: "TRL") == "372274")
    }

    @Test("a random cross is the exact quotient, rounded once to six digits")
    func crosses() throws {
        let file = Self.file
        var bench = try SimulatorBench(at: "2026-11-02T10:00:00Z", shiftWeeks: 0)
        var random = SeededNumbers(state: 7)
        for _ in 0..<60 {
            let row = file[1 + Int(random.next() % UInt64(file.count - 1))]
            let columns = (1..<(file[0].count - 1)).filter { !row[$0].isEmpty }
            let base = columns[Int(random.next() % UInt64(columns.count))]
            let quote = columns[Int(random.next() % UInt64(columns.count))]
            guard base != quote else { continue }
            let answer = bench.get("/v1/\(row[0])/\(file[0][base])?symbols=\(file[0][quote])")
            let digits = try #require(answer.digits(of: file[0][quote]))
            let shown = try #require(Decimal(string: digits))
            let exact = try #require(Decimal(string: row[quote])) / (try #require(Decimal(string: row[base])))
            let error = (shown - exact).magnitude / exact
            #expect(error <= Decimal(string: "0.000005") ?? 0, "\(digits) for \(exact)")
        }
    }

    @Test("today shows the newest row as the latest publication, moved by whole weeks")
    func shift() throws {
        var bench = try SimulatorBench(at: "2026-11-30T08:18:00Z")
        #expect(bench.state.series.shiftWeeks == 4)
        let answer = bench.get("/v1/latest/EUR?symbols=USD")
        #expect(answer.digits(of: "USD") == "1.1172")
        let body = try answer.object()
        #expect(body["data_updated_at"] as? String == "2026-11-27T15:00:00Z")
        #expect(body["effective_at"] as? [String: String] == ["USD": "2026-11-27T15:00:00Z"])
        #expect(
            body["notice"] as? String
                == "Indicative rates, not for settlement. Source: incl. ECB statistics. SIMULATED by FX Gateway: "
                + "ECB fix of 2026-10-30, shown 4 weeks later.")
        let history = bench.get("/v1/2026-11-26/EUR?symbols=USD")
        #expect(history.digits(of: "USD") == "1.113")
        #expect(bench.get("/v1/1999-02-01/EUR?symbols=USD").digits(of: "USD") == "1.1789")
        #expect(bench.get("/v1/1999-01-31/EUR?symbols=USD").code == "no_data_for_date")
    }

    @Test("as long as the true file reaches the clock nothing is moved")
    func noShift() throws {
        var bench = try SimulatorBench(at: "2026-06-16T10:00:00Z")
        #expect(bench.state.series.shiftWeeks == 0)
        let body = try bench.get("/v1/latest/EUR?symbols=USD").object()
        #expect(body["data_updated_at"] as? String == "2026-06-15T14:00:00Z")
        #expect((body["notice"] as? String)?.hasSuffix("ECB fix of 2026-06-15.") == true)
        bench.pass(.seconds(4 * 3_600))
        let later = try bench.get("/v1/latest/EUR?symbols=USD").object()
        #expect(later["data_updated_at"] as? String == "2026-06-16T14:00:00Z")
    }

    @Test("a true holiday on a shown publication day repeats the row before it")
    func trueHoliday() throws {
        // 25 May 2026 is Whit Monday, a publication day; four weeks before, 27 April, is one too. Six weeks before,
        // 6 April, was Easter Monday.
        let series = ReplaySeries(
            rates: .embedded, shift: .weeks(7), startingAt: try SimulatorBench.time("2026-05-25T20:00:00Z"))
        let fix = try #require(
            series.fix(on: SimulatorBench.day("2026-05-25"), at: SimulatorBench.time("2026-05-25T20:00:00Z")))
        #expect(fix.shownDay.text == "2026-05-25")
        #expect(fix.trueDay.text == "2026-04-02")
        #expect(fix.isForwardFilled)
        #expect(fix.publishedAt.text == "2026-05-25T14:00:00Z")
        #expect(fix.shiftText == "shown 53 days later")
    }

    @Test("weekends, shown holidays and a day before its 16:00 carry the fix before them")
    func forwardFill() throws {
        var bench = try SimulatorBench(at: "2026-10-28T10:00:00Z")
        for (day, source, isFilled) in [
            ("2026-06-13", "2026-06-12T14:00:00Z", true), ("2026-06-12", "2026-06-12T14:00:00Z", false),
            ("2026-04-03", "2026-04-02T14:00:00Z", true), ("2026-04-06", "2026-04-02T14:00:00Z", true),
            ("2026-10-28", "2026-10-27T15:00:00Z", true), ("1999-01-04", "1999-01-04T15:00:00Z", false),
            // Open by the rules of 2002, and the true file has it: Good Friday of 1999.
            ("1999-04-02", "1999-04-02T14:00:00Z", false), ("2001-12-31", "2001-12-28T15:00:00Z", true),
        ] {
            let body = try bench.get("/v1/\(day)/EUR?symbols=USD").object()
            #expect(body["data_updated_at"] as? String == source, "\(day)")
            #expect(body["is_forward_filled"] as? Bool == isFilled, "\(day)")
            #expect(body["date"] as? String == day)
        }
        #expect(bench.get("/v1/2026-10-29/EUR").code == "no_data_for_date")
        #expect(bench.get("/v1/1998-12-31/EUR").code == "no_data_for_date")
    }

    @Test("past the newest row the series walks back without a jump, and no past day changes")
    func turn() throws {
        var bench = try SimulatorBench(at: "2026-11-30T08:18:00Z")
        let friday = bench.get("/v1/2026-11-27/EUR").digits(of: "USD")
        bench.pass(.seconds(8 * 3_600))
        let monday = bench.get("/v1/latest/EUR?symbols=USD")
        #expect(monday.digits(of: "USD") == "1.113")
        #expect(try monday.object()["data_updated_at"] as? String == "2026-11-30T15:00:00Z")
        #expect(monday.text.contains("ECB fix of 2026-10-29, shown 32 days later."))
        #expect(bench.get("/v1/2026-11-27/EUR").digits(of: "USD") == friday)
        bench.pass(.seconds(400 * 86_400))
        #expect(bench.get("/v1/latest/EUR").status == 200)
        #expect(bench.get("/v1/2026-11-27/EUR").digits(of: "USD") == friday)
    }

    @Test("the true calendar stops at its end when it is asked for by name")
    func trueEnd() throws {
        var bench = try SimulatorBench(at: "2026-12-15T12:00:00Z", shiftWeeks: 0)
        let body = try bench.get("/v1/latest/EUR").object()
        #expect(body["data_updated_at"] as? String == "2026-10-30T15:00:00Z")
    }
}

/// Numbers that are the same in every run.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 11
    }
}
