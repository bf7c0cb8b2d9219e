import Foundation
import TestSupport

/// `FXBench soak`: a fleet under mixed load for a long time, and whether anything grows.
enum SoakCommand {
    private static let help = """
        usage: FXBench soak [--minutes N] [--seed S] [--picture FILE] [--page FILE]

        Runs three gateways with a refresh each second, mixed load and a fault each minute, and samples memory, descriptors,
        threads, Redis and answer times every five seconds. Build it with -c release.

          --minutes N     (30)
          --seed S        decides the faults (1)
          --picture FILE  writes the figures over time there, as SVG
          --page FILE     puts the table between the two lines of this page that say <!-- soak --> and <!-- /soak -->

        Ends with 1 where a figure grew beyond its bound, or an answer was wrong without a fault.

        """

    /// The exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(help, terminator: "")
            return 0
        }
        var (minutes, seed, picture, page) = (30, UInt64(1), String?.none, String?.none)
        var rest = arguments[...]
        while let name = rest.popFirst() {
            let value = rest.popFirst() ?? ""
            switch (name, Int(value)) {
            case ("--minutes", .some(let number)) where (1...1_440).contains(number): minutes = number
            case ("--seed", .some(let number)) where number >= 0: seed = UInt64(number)
            case ("--picture", _) where !value.isEmpty: picture = value
            case ("--page", _) where !value.isEmpty: page = value
            default:
                FileHandle.standardError.write(
                    Data("FXBench soak: can't read '\(name) \(value)'; see --help\n".utf8))
                return 64
            }
        }
        do {
            return try await soak(minutes, seed, picture: picture, page: page)
        } catch {
            say("\(error)")
            return 70
        }
    }

    private static func soak(
        _ minutes: Int, _ seed: UInt64, picture: String?, page: String?
    ) async throws -> Int32 {
        say("seed \(seed), \(minutes) minutes")
        let samples = try await SoakRun.run(seed: seed, minutes: minutes) { sample in
            let figures = SoakSeries.allCases.map { ($0.value(sample) * 100).rounded() / 100 }
            say(
                "\(sample.at): \(figures) \(sample.answers) answers, \(sample.wrong) wrong, \(sample.calls) calls, \(sample.events) events \(sample.fault ?? "")"
            )
        }
        let verdict = SoakVerdict(samples)
        let counts =
            "\(minutes) minutes, seed \(seed): \(samples.reduce(0) { $0 + $1.answers }) answers, "
            + "\(samples.reduce(0) { $0 + $1.calls }) calls, \(samples.reduce(0) { $0 + $1.events }) events, "
            + "\(Set(samples.compactMap(\.fault)).count) kinds of faults."
        say(counts + "\n\n" + verdict.table)
        if let picture {
            try SoakPicture(samples).text.write(toFile: picture, atomically: true, encoding: .utf8)
        }
        if let page { try put(counts + "\n\n" + verdict.table, into: page) }
        say(verdict.isKept ? "nothing grows" : "BROKEN: see above")
        return verdict.isKept ? 0 : 1
    }

    private enum PageProblem: Error { case noPlace(String) }

    private static func put(_ text: String, into page: String) throws {
        let old = try String(contentsOfFile: page, encoding: .utf8)
        guard let start = old.range(of: "<!-- soak -->\n"), let end = old.range(of: "<!-- /soak -->"),
            start.upperBound <= end.lowerBound
        else { throw PageProblem.noPlace(page) }
        let new = old[..<start.upperBound] + text + "\n" + old[end.lowerBound...]
        try String(new).write(toFile: page, atomically: true, encoding: .utf8)
    }

    /// A line at once.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
