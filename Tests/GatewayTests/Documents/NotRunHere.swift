/// A command of the README that no test can run as it stands, and why.
///
/// Its `--help` is run instead, so that it is there at least.
struct NotRunHere {
    /// How the command begins.
    let beginning: String
    let reason: String

    static let all = [
        NotRunHere(
            beginning: "scripts/run",
            reason: "installs packages, builds a release and takes the ports of the pages"),
        NotRunHere(beginning: "scripts/test", reason: "runs the tests, this one among them"),
        NotRunHere(beginning: "scripts/check", reason: "runs scripts/test"),
        NotRunHere(beginning: "scripts/month", reason: "takes minutes; scripts/check has its tests"),
        NotRunHere(
            beginning: "scripts/bench",
            reason: "installs packages and loads the machine; scripts/check has its parts"),
        NotRunHere(beginning: "scripts/bootstrap", reason: "installs packages; scripts/test begins with it"),
    ]

    static func of(_ command: String) -> NotRunHere? {
        all.first { command == $0.beginning || command.hasPrefix($0.beginning + " ") }
    }
}
