import ExchangeRateClient
import Foundation

/// A daily report: rates into a CSV file, each with where it comes from and how fresh it is.
@main
enum DailyReport {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.contains("--help") || words.contains("-h") {
            print(ReportOptions.usage)
            return
        }
        let options: ReportOptions
        do {
            options = try ReportOptions(words, today: ReportText.day(of: Date()))
        } catch {
            end(64, "\(error); see --help")
        }
        guard let url = URL(string: options.gateway) else { end(64, "no URL: \(options.gateway)") }
        do {
            let token = ProcessInfo.processInfo.environment["FXGATEWAY_TOKEN"].map { Token($0) }
            var configuration = ClientConfiguration.gateway(url, token: token)
            configuration.clientName = "daily-report"
            configuration.deadline = .seconds(30)
            let client = try ExchangeRateClient(configuration)
            let isFresh = try await run(options, client)
            exit(isFresh ? 0 : 3)
        } catch ExchangeRateError.invalidArgument(let name, let value) {
            end(64, "\(name) \"\(value)\": no currency code; see --help")
        } catch ExchangeRateError.invalidBaseURL {
            end(64, "no URL of a gateway: \(options.gateway)")
        } catch let error as ExchangeRateError {
            end(69, "no rates: \(error)")
        } catch ReportFile.Problem.notAReport(let line) {
            end(65, "\(options.file), line \(line): not a row of a report; nothing was appended")
        } catch {
            end(74, "\(options.file): \(error)")
        }
    }

    /// Appends what is missing; false if any of it isn't fresh.
    private static func run(_ options: ReportOptions, _ client: ExchangeRateClient) async throws -> Bool {
        let file = try ReportFile(path: options.file)
        let (rates, answer) = try await rates(options, client)
        let now = Date()
        let day = options.day.description
        var rows: [String] = []
        var isFresh = true
        for symbol in options.symbols {
            let name = ReportFile.name(day: day, base: options.base, symbol: symbol)
            guard !file.fresh.contains(name) else {
                print("\(symbol)  has a fresh row for \(day) already")
                continue
            }
            guard let rate = rates[symbol] else {
                print("\(symbol)  MISSING: the service has no usable rate")
                isFresh = false
                continue
            }
            // Judged symbol by symbol: one stale rate must not hide behind the others.
            let freshness = answer.freshness(of: symbol, at: now)
            let source = answer.source(of: symbol)?.rawValue
            let state = ReportText.state(freshness)
            if !freshness.isFresh { isFresh = false }
            print(
                "\(symbol)  \(rate)  \(source ?? "?")  \(state)\(freshness.isFresh ? "" : "  (NOT FRESH)")"
            )
            if !freshness.isFresh, file.stale.contains(name) { continue }
            rows.append(
                [
                    day, options.base, symbol, "\(rate)", source ?? "",
                    answer.dataTime(of: symbol).map(ReportText.time) ?? "", state,
                    answer.cache?.reason?.rawValue ?? "", answer.cache?.snapshot ?? "",
                ].joined(separator: ",") + "\n")
        }
        try file.append(rows)
        if let notice = answer.notice { print(notice) }
        return isFresh
    }

    /// The rates of the report's day: its own where it is over, else the latest.
    private static func rates(
        _ options: ReportOptions, _ client: ExchangeRateClient
    ) async throws(ExchangeRateError) -> ([String: Decimal], any Labelled) {
        guard options.isPast else {
            let latest = try await client.latest(base: options.base, symbols: options.symbols)
            return (latest.rates, latest)
        }
        let past = try await client.day(options.day, base: options.base, symbols: options.symbols)
        guard past.date == options.day else { throw .undecodable(member: "date") }
        return (past.rates, past)
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        FileHandle.standardError.write(Data("DailyReport: \(text)\n".utf8))
        exit(code)
    }
}
