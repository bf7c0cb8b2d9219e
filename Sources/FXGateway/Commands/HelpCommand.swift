/// `fxgateway help`.
enum HelpCommand {
    private static let text = """
        usage: fxgateway COMMAND [--output table|json]

          serve          answer requests until SIGTERM
          check-config   show the effective configuration, secrets masked
          plan           what the configured refreshing costs in a month
          status         the fleet and its cooldown, from a running gateway
          quota          the month's calls, from a running gateway
          explain BASE   why an answer is what it is
          get BASE/QUOTE one rate, from a running gateway
          refresh BASE   fetch now, with the admin token
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
