import ExchangeRateClient
import Foundation

/// What the command line asks for.
struct ReportOptions {
    /// What isn't understood, with the word at fault.
    enum Problem: Error, Equatable, CustomStringConvertible {
        case unknown(String)
        case noValue(String)
        case refused(option: String, value: String, wanted: String)

        var description: String {
            switch self {
            case .unknown(let word): "no such option: \(word)"
            case .noValue(let option): "\(option) needs a value"
            case .refused(let option, let value, let wanted): "\(option) \"\(value)\": \(wanted)"
            }
        }
    }

    var gateway = "http://127.0.0.1:8080"
    var base = "EUR"
    /// Each once, in the order given.
    var symbols = ["USD", "GBP", "JPY"]
    var file = "rates.csv"
    /// The day of the report; never one that is to come.
    var day: Day
    /// Whether the day is over, so that it has rates of its own and the latest ones are none of its.
    var isPast = false

    static let usage = """
        Usage: DailyReport [--gateway URL] [--base CODE] [--symbols CODES] [--file PATH] [--day YYYY-MM-DD] [--help]

        Asks a gateway for the latest rates, or for those of a past day, and appends them to a CSV file with their source, time
        and state. Run it as often as you like: a day, base and symbol that has a fresh row gets no other; one that was stale
        gets a second row once it is fresh. Nothing is ever rewritten.

          --gateway URL        where the gateway is, http://127.0.0.1:8080
          --base CODE          the currency that is priced, EUR
          --symbols CODES      the currencies to price it in, with commas: USD,GBP,JPY
          --file PATH          the CSV file, rates.csv; made if it isn't there
          --day YYYY-MM-DD     a past day, for which its own rates are stored (on one without fix those before it, as their time
                               shows); without it the latest rates under today's date, in UTC
        A client's token is taken from FXGATEWAY_TOKEN.

        Exit codes: 0 all is fresh, 3 something was stale or missing (and is marked so), 64 the command line isn't understood,
        65 the file isn't one of these reports, 69 there were no rates, 74 the file can't be read or written.
        """

    /// Reads the words behind the program's name.
    init(_ words: [String], today: Day) throws(Problem) {
        day = today
        var words = words[...]
        while let word = words.popFirst() {
            guard ["--gateway", "--base", "--symbols", "--file", "--day"].contains(word) else {
                throw .unknown(word)
            }
            guard let value = words.popFirst() else { throw .noValue(word) }
            switch word {
            case "--gateway": gateway = value
            case "--base": base = value.uppercased()
            case "--symbols": symbols = try Self.symbols(value)
            case "--file": file = value
            default: day = try Self.day(value, today: today)
            }
        }
        isPast = day < today
    }

    private static func symbols(_ value: String) throws(Problem) -> [String] {
        var seen: Set<String> = []
        let symbols = value.uppercased().split(separator: ",").map(String.init)
            .filter { seen.insert($0).inserted }
        guard !symbols.isEmpty else {
            throw .refused(option: "--symbols", value: value, wanted: "at least one code")
        }
        return symbols
    }

    private static func day(_ value: String, today: Day) throws(Problem) -> Day {
        guard let day = Day(value) else {
            throw .refused(option: "--day", value: value, wanted: "a day as YYYY-MM-DD")
        }
        guard day <= today else {
            throw .refused(option: "--day", value: value, wanted: "no day after today, \(today)")
        }
        return day
    }
}
