import CacheLayer

/// `fxgateway refresh`: has a running gateway fetch a table now.
enum RefreshCommand {
    /// A forced refresh may wait for upstream as long as one call takes at most, and a while for the lease.
    private static let limitSeconds = 90

    /// Asks for the refresh with the admin token, and writes what came of it.
    ///
    /// `.success` if something was fetched, `.failure` if not (the answer says why), `.unavailable` without an answer,
    /// `.usage` for a base that is none, `.configuration` without an admin token.
    ///
    /// - Parameters:
    ///   - options: the base, if not the pivot, and `--force`.
    ///   - configuration: names the pivot and holds the token.
    ///   - address: where the gateway listens.
    ///   - screen: what the lines go to.
    ///   - print: takes what belongs on standard output, without its line end.
    ///   - complain: takes what belongs on standard error.
    /// - Returns: how the process ends.
    static func run(
        _ options: CommandOptions, _ configuration: Configuration, at address: ListenAddress,
        screen: Screen = .plain, print: (String) -> Void, complain: (String) -> Void
    ) -> ExitCode {
        let text = options.operands.first ?? configuration.bases[0].code
        guard let base = Currency(text) else {
            complain("fxgateway refresh: \(SafeText.quoted(text)) isn't a currency code")
            return .usage
        }
        guard let token = configuration.adminToken else {
            complain("a refresh needs the admin token: set FXGW_ADMIN_TOKEN or FXGW_ADMIN_TOKEN_FILE")
            return .configuration
        }
        let target = "/admin/refresh/\(base.code)\(options[.force] == nil ? "" : "?force=true")"
        let call = GatewayCall(
            address: address, method: "POST", target: target, token: token, limitSeconds: limitSeconds)
        return AskCommand.ask(call, options.output, screen: screen, print: print, complain: complain)
    }
}
