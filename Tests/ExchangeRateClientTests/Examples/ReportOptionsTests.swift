import ExchangeRateClient
import Testing

@testable import DailyReport

@Suite("The daily report's command line")
struct ReportOptionsTests {
    private static func options(_ words: String...) throws -> ReportOptions {
        try ReportOptions(words, today: try #require(Day("2026-06-16")))
    }

    @Test("a symbol named twice is one symbol, in the order of the first")
    func symbols() throws {
        #expect(try Self.options("--symbols", "usd,JPY,,USD").symbols == ["USD", "JPY"])
    }

    @Test("without a day, and for today, it is the latest rates; an earlier day is past")
    func days() throws {
        let plain = try Self.options()
        #expect(plain.day.description == "2026-06-16" && !plain.isPast)
        #expect(try !Self.options("--day", "2026-06-16").isPast)
        let past = try Self.options("--day", "2020-01-01")
        #expect(past.day.description == "2020-01-01" && past.isPast)
    }

    @Test(
        "what isn't understood is named",
        arguments: [
            (["--symbols", ","], "--symbols \",\": at least one code"),
            (["--symbols", ""], "--symbols \"\": at least one code"),
            (["--day", "2026-02-30"], "--day \"2026-02-30\": a day as YYYY-MM-DD"),
            (["--day", "2026-06-17"], "--day \"2026-06-17\": no day after today, 2026-06-16"),
            (["--base", "EUR", "--nonsense"], "no such option: --nonsense"),
            (["--base"], "--base needs a value"),
        ])
    func refused(words: [String], text: String) throws {
        let today = try #require(Day("2026-06-16"))
        let problem = #expect(throws: ReportOptions.Problem.self) { try ReportOptions(words, today: today) }
        #expect(problem?.description == text)
    }

    @Test("the usage has every exit code")
    func usage() {
        for code in ["0 ", "3 ", "64 ", "65 ", "69 ", "74 "] {
            #expect(ReportOptions.usage.split(separator: "Exit codes:").last?.contains(code) == true)
        }
    }
}
