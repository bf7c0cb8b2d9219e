import CacheLayer
import Foundation
import TestSupport

/// `FXBench month`: runs a fleet of ten through simulated calendar months and prints what came of each.
enum MonthCommand {
    private static let help = """
        usage: FXBench month [--seed N] [--month YYYY-MM] [--bases A,B,...] [--plan CALLS:SECONDS]...

        Runs ten instances through a whole calendar month by a clock that jumps from event to event, and prints a line
        for each plan: calls in the month, and the lifetime of live rates in seconds. Without --plan: 1000:60, 10000:60,
        50000:60 and 100000:20.

          --seed N         decides all that happens; the same seed, the same month (1)
          --month YYYY-MM  the month (2026-03)
          --bases A,B,...  bases with a table of their own, the pivot first (USD,EUR,GBP)

        Ends with 1 where a promise was broken; each such line names the seed and the simulated instant.

        """

    /// The exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(help, terminator: "")
            return 0
        }
        guard let months = MonthArguments(arguments)?.months else {
            FileHandle.standardError.write(
                Data("FXBench month: arguments that can't be read; see --help\n".utf8))
            return 64
        }
        var broken = 0
        say("seed \(months[0].seed), \(months[0].month), bases \(months[0].bases)")
        say(MonthReport.head)
        for month in months {
            let report = await MonthSimulation.run(month)
            say(report.line)
            for violation in report.violations { say(violation.description) }
            broken += report.violations.count
        }
        return broken == 0 ? 0 : 1
    }

    /// A line at once: some months take minutes.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
