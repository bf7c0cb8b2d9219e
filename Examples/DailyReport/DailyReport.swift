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
        guard let options = ReportOptions(words), let url = URL(string: options.gateway) else {
            end(64, "the command line isn't understood; see --help")
        }
        do {
            let token = ProcessInfo.processInfo.environment["FXGATEWAY_TOKEN"].map { Token($0) }
            var configuration = ClientConfiguration.gateway(url, token: token)
            configuration.clientName = "daily-report"
            configuration.deadline = .seconds(30)
            let client = try ExchangeRateClient(configuration)
            let isFresh = try await run(options, client)
            exit(isFresh ? 0 : 3)
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
        let now = Date()
        let day = options.day.map(\.description) ?? ReportText.time(now).prefix(10).description
        let latest = try await client.latest(base: options.base, symbols: options.symbols)
        var rows: [String] = []
        var isFresh = true
        for symbol in options.symbols {
            let name = ReportFile.name(day: day, base: options.base, symbol: symbol)
            guard !file.fresh.contains(name) else {
                print("\(symbol)  has a fresh row for \(day) already")
                continue
            }
            guard let rate = latest.rate(of: symbol) else {
                print("\(symbol)  MISSING: the service has no usable rate")
                isFresh = false
                continue
            }
            // Judged symbol by symbol: one stale rate must not hide behind the others.
            let freshness = rate.freshness(at: now)
            let state = ReportText.state(freshness)
            if !freshness.isFresh { isFresh = false }
            print(
                "\(symbol)  \(rate.rate)  \(rate.source?.rawValue ?? "?")  \(state)\(freshness.isFresh ? "" : "  (NOT FRESH)")"
            )
            if !freshness.isFresh, file.stale.contains(name) { continue }
            rows.append(
                [
                    day, options.base, symbol, "\(rate.rate)", rate.source?.rawValue ?? "",
                    rate.dataUpdatedAt.map(ReportText.time) ?? "", state, rate.cache?.reason?.rawValue ?? "",
                    rate.cache?.snapshot ?? "",
                ].joined(separator: ",") + "\n")
        }
        try file.append(rows)
        if let notice = latest.notice { print(notice) }
        return isFresh
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        FileHandle.standardError.write(Data("DailyReport: \(text)\n".utf8))
        exit(code)
    }
}
