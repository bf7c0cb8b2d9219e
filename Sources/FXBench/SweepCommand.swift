import CacheLayer
import Foundation
import TestSupport

/// `FXBench sweep`: what fleets of all sizes cost upstream and Redis, beside what services do without a gateway.
enum SweepCommand {
    private static let help = """
        usage: FXBench sweep [--instances A,B,...] [--clients A,B,...] [--seconds N] [--seed N] [--output table|json]

        Plays N simulated seconds (600, after a lifetime in which caches fill) of clients that ask once a second each, at
        any instance, for rates that live for 60 s and take upstream 300 ms: with gateways (the product's refreshers and
        store, by a clock that is moved), and with three kinds of plain caches. Prints a line for each: calls to upstream,
        commands to Redis and the gateways' scripts by kind. By default 1, 2, 4, 8, 16 instances with 1 to 10,000 clients.

        """

    /// The exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(help, terminator: "")
            return 0
        }
        guard let arguments = SweepArguments(arguments) else {
            FileHandle.standardError.write(
                Data("FXBench sweep: arguments that can't be read; see --help\n".utf8))
            return 64
        }
        if arguments.output == .table { say(head) }
        for settings in arguments.points {
            say(line("gateway", settings, await SweepFleet.run(settings), arguments.output))
            for kind in PlainCache.allCases {
                say(line(kind.rawValue, settings, kind.run(settings), arguments.output))
            }
        }
        return 0
    }

    private static let head = """
        | cache | instances | clients | requests | waited | upstream calls | Redis commands | looks | begins | finishes | \
        reads | messages |
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        """

    /// One line: of a Markdown table, or an object.
    private static func line(
        _ cache: String, _ settings: SweepSettings, _ result: SweepResult, _ output: SweepArguments.Output
    ) -> String {
        let numbers: [(String, Int)] = [
            ("instances", settings.instances), ("clients", settings.clients), ("requests", result.requests),
            ("waited", result.waited), ("upstream_calls", result.upstreamCalls),
            ("commands", result.commands),
            ("looks", result.scripts.looks), ("begins", result.scripts.begins),
            ("finishes", result.scripts.finishes), ("reads", result.scripts.reads),
            ("messages", result.scripts.messages),
        ]
        switch output {
        case .table: return "| " + ([cache] + numbers.map { "\($0.1)" }).joined(separator: " | ") + " |"
        case .json:
            let bytes = [
                ("seconds", Int(settings.length / .seconds(1))), ("plain_bytes_in", result.plainBytesIn),
                ("plain_bytes_out", result.plainBytesOut),
            ]
            let members = (numbers + bytes).map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
            return "{\"cache\":\"\(cache)\",\(members)}"
        }
    }

    /// A line at once: some points take a while.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
