import Foundation
import TestSupport

/// `FXBench chaos`: random mixes of faults on fleets of real processes, each judged by the promises.
enum ChaosCommand {
    private static let help = """
        usage: FXBench chaos [--seeds N] [--seed S] [--seconds T] [--gateways G] [--redis standalone|sentinel]
                             [--aim SAFEGUARD] [--gateway PROGRAM]

        Starts a fleet, lets storms of faults pass over it under load, and checks afterwards that all promises were kept.
        Which faults when and where is a pure function of seed, seconds, gateways and Redis.

          --seeds N            so many runs, one after the other, with successive seeds (1)
          --seed S             the first one's seed (1)
          --seconds T          a storm and a calm for each 20 (20)
          --gateways G         2 to 10 (by the seed: 3 to 5)
          --redis KIND         standalone or sentinel (by the seed: every third run has sentinels)
          --aim SAFEGUARD      only faults that fence, settle-once, extend-only, cap, data-order or cooldown stands against;
                               ends with the first run that broke a promise
          --gateway PROGRAM    another build of the gateway

        Ends with 1 where a promise was broken: with its name, the time, what was seen and the command that does it again;
        with 70 where a fleet could not be started.

        """

    /// The exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(help, terminator: "")
            return 0
        }
        guard let arguments = ChaosArguments(arguments) else {
            FileHandle.standardError.write(
                Data("FXBench chaos: arguments that can't be read; see --help\n".utf8))
            return 64
        }
        var broken: [UInt64] = []
        for settings in arguments.runs {
            do {
                let record = try await play(settings, program: arguments.program)
                if !record.violations.isEmpty { broken.append(settings.seed) }
                // What is aimed at one safeguard has said all there is to say.
                if !broken.isEmpty, settings.safeguard != nil { break }
            } catch {
                say("seed \(settings.seed): \(error)")
                return 70
            }
        }
        say(
            broken.isEmpty
                ? "\(arguments.runs.count) runs from seed \(arguments.first): every promise was kept"
                : "\(broken.count) of \(arguments.runs.count) runs broke a promise: seeds \(broken)")
        return broken.isEmpty ? 0 : 1
    }

    private static func play(_ settings: ChaosSettings, program: [String]) async throws -> ChaosRecord {
        let plan = ChaosPlan(settings)
        say(
            "seed \(settings.seed): \(settings.gateways) gateways, \(settings.store.rawValue), \(plan.steps.count) faults"
        )
        for step in plan.steps { say("  \(step)") }
        let record = try await ChaosRun.play(plan, program: program) { say("  " + $0) }
        let violations = record.violations
        say("what was done:\n\(record.timeline)")
        if !violations.isEmpty {
            // The first of each promise says what it is; their number says how bad.
            for (promise, all) in Dictionary(grouping: violations, by: \.promise).sorted(by: {
                $0.key.rawValue < $1.key.rawValue
            }) {
                say("BROKEN \(promise.rawValue), \(all.count) times:")
                for violation in all.prefix(3) { say("  " + record.describe(violation)) }
            }
            say(record.report)
            say("again: \(command(settings))")
        }
        say(record.summary + (violations.isEmpty ? ": kept" : ": BROKEN"))
        return record
    }

    private static func command(_ settings: ChaosSettings) -> String {
        let aim = settings.safeguard.map { " --aim \($0.rawValue)" } ?? ""
        return
            "scripts/chaos --seed \(settings.seed) --seconds \(settings.seconds) --gateways \(settings.gateways) --redis \(settings.store.rawValue)\(aim)"
    }

    /// A line at once: runs take a while.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
