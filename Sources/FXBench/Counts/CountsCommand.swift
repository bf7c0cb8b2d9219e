import Foundation
import TestSupport
import UpstreamSimulator

/// `FXBench counts`: what a request costs in numbers that don't hang on the machine, held against the limits.
enum CountsCommand {
    private static let help = """
        usage: FXBench counts --counter LIBRARY --stripped PROGRAM --limits FILE [--self-test]

        Starts the gateway built beside this program, counts what each kind of hot request costs it, and holds the counts
        against the limits. Ends with 1 where one is too high, with 69 where something could not be counted.
        scripts/check-counts makes the two files and calls this.

          --counter LIBRARY   bench/counter.c as a library
          --stripped PROGRAM  a copy of the gateway without debug information, for callgrind
          --limits FILE       bench/limits.tsv
          --self-test         adds a cost to each answer, one kind after the other, and ends with 1 unless just the counts
                              that it raises are found too high

        """

    /// The exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(help, terminator: "")
            return 0
        }
        guard let options = CountsArguments(arguments) else {
            complain("arguments that can't be read; see --help")
            return 64
        }
        do {
            let simulator = try Simulator(configuration: SimulatorConfiguration())
            try simulator.start()
            let directory = try temporaryDirectory()
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let run = CountsRun(
                counter: options.counter, stripped: options.stripped,
                limits: try CountLimits(contentsOf: options.limits), upstream: simulator.baseURL,
                directory: directory)
            let faults = options.isSelfTest ? try await selfTest(run) : try await check(run)
            await simulator.stop()
            for fault in faults { complain(fault) }
            return faults.isEmpty ? 0 : 1
        } catch {
            complain("\(error)")
            return 69
        }
    }

    /// Counts everything; what is wrong with it.
    private static func check(_ run: CountsRun) async throws -> [String] {
        async let open = run.start("open")
        async let guarded = run.start("guarded", isGuarded: true)
        async let openAgain = run.inCallgrind(name: "open-callgrind")
        async let guardedAgain = run.inCallgrind(name: "guarded-callgrind", isGuarded: true)
        let gateways = try await (open: open, guarded: guarded)
        var (slow, slowGuarded) = try await (openAgain, guardedAgain)
        var results: [CountResult] = []
        say(CountReport.head)
        for request in CountedRequest.all {
            var finding = try await run.calls(
                of: request, in: request.isGuarded ? gateways.guarded : gateways.open)
            finding.results.append(
                request.isGuarded
                    ? try await run.instructions(
                        of: request, on: slowGuarded.gateway.port, by: &slowGuarded.counter)
                    : try await run.instructions(of: request, on: slow.gateway.port, by: &slow.counter))
            say(CountReport.line(request.name, finding, run.limits))
            results += finding.results
        }
        return run.limits.faults(in: results)
    }

    /// Counts the usual request at added costs; which guards did not see theirs, or saw another.
    private static func selfTest(_ run: CountsRun) async throws -> [String] {
        var faults: [String] = []
        for cost in CountedCost.allCases {
            let gateway = try await run.start("cost-\(cost.rawValue)", cost: cost)
            var slow = try await run.inCallgrind(name: "callgrind-\(cost.rawValue)", cost: cost)
            let request = CountedRequest.usual
            var results = try await run.calls(of: request, in: gateway).results
            results.append(
                try await run.instructions(of: request, on: slow.gateway.port, by: &slow.counter))
            let raised = results.filter { result in
                run.limits.limit(of: result).map { result.value > $0 } ?? false
            }
            for result in raised {
                say(
                    "at a cost of more \(cost.named): \(request.name): \(result.count.rawValue) "
                        + "\(CountReport.text(result.value)), limit "
                        + CountReport.text(run.limits.limit(of: result) ?? 0))
            }
            let seen = Set(raised.map(\.count))
            // Whatever is added takes instructions too: enough to be seen, or not.
            if seen.subtracting([.instructions]) != cost.raised.subtracting([.instructions])
                || !seen.isSuperset(of: cost.raised)
            {
                faults.append(
                    "at a cost of more \(cost.named), not \(names(cost.raised)) are too high, but \(names(seen))"
                )
            }
        }
        return faults
    }

    private static func names(_ counts: Set<Count>) -> String {
        counts.isEmpty ? "nothing" : counts.map(\.rawValue).sorted().joined(separator: " and ")
    }

    private static func temporaryDirectory() throws(CountsError) -> String {
        var template = Array("/tmp/fxgw-counts-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .badFile("/tmp", "no directory can be made here") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A line at once.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func complain(_ line: String) {
        FileHandle.standardError.write(Data("FXBench counts: \(line)\n".utf8))
    }
}
