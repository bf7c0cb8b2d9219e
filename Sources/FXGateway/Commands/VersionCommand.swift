/// `fxgateway version`.
enum VersionCommand {
    /// Writes one line; always succeeds.
    static func run(print: (String) -> Void) -> ExitCode {
        print("fxgateway \(GatewayVersion.text)")
        return .success
    }
}
