/// `fxgateway help`.
enum HelpCommand {
    private static let text = """
        usage: fxgateway COMMAND [--output table|json]

          serve          answer requests until SIGTERM
          check-config   show the effective configuration, secrets masked
          simulate       a simulated upstream
          healthcheck    ask a running gateway whether it answers (--ready: whether traffic should come)
          version        the version of this build
          help           this text

        Everything is configured by environment variables: see check-config.
        """

    /// Writes the overview; always succeeds.
    static func run(print: (String) -> Void) -> ExitCode {
        print(text)
        return .success
    }
}
