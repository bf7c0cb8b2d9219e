import ExchangeRateClient
import Foundation

/// A price service in small: amounts come in on the standard input, converted ones go out, by rates that a stream keeps fresh.
@main
enum PriceService {
    static let usage = """
        Usage: PriceService [--gateway URL] [--base CODE] [--symbols CODES] [--help]

        Listens to a gateway's stream of one base and converts what it reads on the standard input, a line each:

          19.99 USD    ->  19.99 EUR = 22.38 USD (exact 22.378805, fresh until 2026-06-16T14:03:13Z)

        Results are rounded half-even to the smallest unit that the gateway's list of currencies has. What isn't fresh, and what
        has no such unit, is refused and not converted: a line "refused: …". No request is made for a conversion.

          --gateway URL     where the gateway is, http://127.0.0.1:8080
          --base CODE       the currency of the amounts, EUR
          --symbols CODES   the currencies that are converted into, with commas; all without it
        A client's token is taken from FXGATEWAY_TOKEN. Ends with the input; exit codes: 0, 64 the command line isn't
        understood, 69 the gateway refuses the stream or has no list of currencies.
        """

    static func main() async {
        var (gateway, base, symbols) = ("http://127.0.0.1:8080", "EUR", [String]())
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            switch (word, words.first) {
            case ("--help", _), ("-h", _):
                print(usage)
                return
            case ("--gateway", let value?): gateway = value
            case ("--base", let value?): base = value
            case ("--symbols", let value?): symbols = value.split(separator: ",").map(String.init)
            default: end(64, "the command line isn't understood; see --help")
            }
            words = words.dropFirst()
        }
        guard let url = URL(string: gateway) else { end(64, "no URL: \(gateway)") }
        do {
            let token = ProcessInfo.processInfo.environment["FXGATEWAY_TOKEN"].map { Token($0) }
            var configuration = ClientConfiguration.gateway(url, token: token)
            configuration.clientName = "price-service"
            configuration.deadline = .seconds(30)
            let client = try ExchangeRateClient(configuration)
            let stream = try client.stream(base: base, symbols: symbols)
            let keeper = PriceKeeper(await currencies(client))
            let listening = Task {
                do {
                    try await keeper.run(stream)
                } catch {
                    end(69, "the stream is refused: \(error)")
                }
            }
            for await line in lines() { print(await answer(line, base, keeper)) }
            listening.cancel()
        } catch {
            end(64, "\(error)")
        }
    }

    private static func currencies(_ client: ExchangeRateClient) async -> CurrencyList {
        do {
            return try await client.currencies()
        } catch {
            end(69, "no list of currencies: \(error)")
        }
    }

    /// The answer to one line; waits for the first table at most ten seconds.
    private static func answer(_ line: String, _ base: String, _ keeper: PriceKeeper) async -> String {
        let parts = line.split(separator: " ")
        guard parts.count == 2, let amount = amount(parts[0]) else {
            return "refused: not an amount and a code: \(line.prefix(64))"
        }
        for _ in 0..<100 {
            do {
                let price = try await keeper.convert(amount, to: String(parts[1]))
                return
                    "\(amount) \(base) = \(price.rounded) \(parts[1]) (exact \(price.exact), fresh until \(price.until.formatted(.iso8601)))"
            } catch {
                guard error == .nothingYet else { return "refused: \(error)" }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        return "refused: no rates within ten seconds"
    }

    /// Digits with at most one point: `Decimal(string:)` would also take `1,5` for 1.
    private static func amount(_ text: Substring) -> Decimal? {
        guard text.wholeMatch(of: /[0-9]+(?:\.[0-9]+)?/) != nil else { return nil }
        return Decimal(string: String(text))
    }

    /// The lines of the standard input, each read once the one before has been answered, on a thread of its own.
    private static func lines() -> AsyncStream<String> {
        AsyncStream {
            await withCheckedContinuation { line in
                Thread.detachNewThread { line.resume(returning: readLine()) }
            }
        }
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        FileHandle.standardError.write(Data("PriceService: \(text)\n".utf8))
        exit(code)
    }
}
