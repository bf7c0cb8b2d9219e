import Foundation

/// `FXBench [--help] [FILTER]`: what the pieces of a request and of a refresh cost by themselves; `FXBench month`: a fleet's
/// month; `FXBench sweep`: what fleets of all sizes cost; `FXBench counts`: what a request costs the whole gateway;
/// `FXBench chaos`: random faults on a fleet of real processes;
/// `FXBench soak`: the same fleet for a long time.
@main
enum FXBenchMain {
    private static let help = """
        usage: FXBench [--help] [FILTER]
               FXBench month [--help]
               FXBench counts [--help]
               FXBench sweep [--help]
               FXBench chaos [--help]
               FXBench soak [--help]

        Prints the CPU time of one call of each piece whose name contains FILTER: the median of several rounds,
        and the spread. Build it with -c release; figures of a debug build mean nothing.
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "month" { exit(await MonthCommand.run(Array(arguments.dropFirst()))) }
        if arguments.first == "counts" { exit(await CountsCommand.run(Array(arguments.dropFirst()))) }
        if arguments.first == "sweep" { exit(await SweepCommand.run(Array(arguments.dropFirst()))) }
        if arguments.first == "soak" { exit(await SoakCommand.run(Array(arguments.dropFirst()))) }
        if arguments.first == "chaos" { exit(await ChaosCommand.run(Array(arguments.dropFirst()))) }
        if arguments.contains("--help") || arguments.contains("-h") {
            print(help)
            return
        }
        guard arguments.count <= 1, !(arguments.first ?? "").hasPrefix("-") else {
            FileHandle.standardError.write(Data("FXBench: unknown arguments; see --help\n".utf8))
            exit(64)
        }
        let chosen = Pieces.all.filter { piece in arguments.first.map { piece.name.contains($0) } ?? true }
        guard !chosen.isEmpty else {
            FileHandle.standardError.write(Data("FXBench: no piece has such a name\n".utf8))
            exit(1)
        }
        for piece in chosen { print(Measurement(of: piece).line) }
    }
}
