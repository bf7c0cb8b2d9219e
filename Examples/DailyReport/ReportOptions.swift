import ExchangeRateClient
import Foundation

/// What the command line asks for.
struct ReportOptions {
    var gateway = "http://127.0.0.1:8080"
    var base = "EUR"
    var symbols = ["USD", "GBP", "JPY"]
    var file = "rates.csv"
    var day: Day?

    static let usage = """
        Usage: DailyReport [--gateway URL] [--base CODE] [--symbols CODES] [--file PATH] [--day YYYY-MM-DD] [--help]

        Asks a gateway for the latest rates and appends them to a CSV file with their source, time and state. Run it as often
        as you like: a day, base and symbol that has a fresh row gets no other; one that was stale gets a second row
        once it is fresh. Nothing is ever rewritten.

          --gateway URL        where the gateway is, http://127.0.0.1:8080
          --base CODE          the currency that is priced, EUR
          --symbols CODES      the currencies to price it in, with commas: USD,GBP,JPY
          --file PATH          the CSV file, rates.csv; made if it isn't there
          --day YYYY-MM-DD     the day of the report, today in UTC
        A client's token is taken from FXGATEWAY_TOKEN.

        Exit codes: 0 all is fresh, 3 something was stale or missing (and is marked so), 64 the command line isn't understood,
        65 the file isn't one of these reports, 69 there were no rates.
        """

    /// Nil if the words aren't understood.
    init?(_ words: [String]) {
        var words = words[...]
        while let word = words.popFirst() {
            guard let value = words.popFirst() else { return nil }
            switch word {
            case "--gateway": gateway = value
            case "--base": base = value.uppercased()
            case "--symbols": symbols = value.uppercased().split(separator: ",").map(String.init)
            case "--file": file = value
            case "--day":
                guard let parsed = Day(value) else { return nil }
                day = parsed
            default: return nil
            }
        }
    }
}
