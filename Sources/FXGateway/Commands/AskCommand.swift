import CacheLayer

/// `fxgateway status`, `quota`, `explain` and `get`: one question to a running gateway, and its answer.
enum AskCommand {
    /// Asks and writes the answer.
    ///
    /// `.success` for a 200, `.failure` for any other answer, `.unavailable` if there is none, `.usage` if an operand
    /// isn't understood. Blocks for at most some seconds.
    ///
    /// - Parameters:
    ///   - command: which one.
    ///   - options: its operands and options.
    ///   - address: where the gateway listens.
    ///   - token: a client's token, where there is a clients file.
    ///   - screen: what the lines go to.
    ///   - print: takes what belongs on standard output, without its line end.
    ///   - complain: takes what belongs on standard error.
    /// - Returns: how the process ends.
    static func run(
        _ command: CommandName, _ options: CommandOptions, at address: ListenAddress, token: Secret?,
        screen: Screen = .plain, print: (String) -> Void, complain: (String) -> Void
    ) -> ExitCode {
        guard let target = target(of: command, options.operands) else {
            complain(
                "fxgateway \(command.rawValue): \(options.operands.map(SafeText.quoted).joined(separator: " ")) isn't \(command.operands)"
            )
            return .usage
        }
        return ask(
            GatewayCall(address: address, method: "GET", target: target, token: token), options.output,
            screen: screen, print: print, complain: complain)
    }

    /// Makes a call and writes what it brings: the document for programs, an outline of it for people.
    static func ask(
        _ call: GatewayCall, _ output: OutputForm, screen: Screen, print: (String) -> Void,
        complain: (String) -> Void
    ) -> ExitCode {
        let reply: GatewayReply
        do throws(GatewayCall.Problem) {
            reply = try screen.patience.during("waiting for the gateway at \(call.address)") {
                () throws(GatewayCall.Problem) in try call.send()
            }
        } catch {
            complain("\(error); --listen says where the gateway is, if not at FXGW_LISTEN")
            return .unavailable
        }
        let tree = try? JSONTree.parse(reply.body)
        guard reply.status == 200 else {
            let message = tree?["message"]?.string ?? tree?["detail"]?.string
            complain("\(reply.statusText): \(SafeText.line(message ?? "no reason is given"))")
            return .failure
        }
        switch output {
        case .json: print(String(decoding: reply.body, as: UTF8.self))
        case .table:
            for line in tree.map({ JSONOutline($0, paint: screen.paint).lines }) ?? [] { print(line) }
        }
        return .success
    }

    /// The path that answers; nil if an operand isn't what it should be.
    static func target(of command: CommandName, _ operands: [String]) -> String? {
        switch command {
        case .status: return "/v1/status"
        case .quota: return "/v1/quota"
        case .get:
            let codes = operands[0].split(separator: "/", omittingEmptySubsequences: false)
            guard codes.count == 2, codes.allSatisfy({ Currency($0) != nil }) else { return nil }
            return "/v1/rate/\(codes[0])-\(codes[1])"
        case .explain:
            let parts = operands[0].split(separator: "/", omittingEmptySubsequences: false)
            let symbols =
                parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
            guard (1...2).contains(parts.count), Currency(parts[0]) != nil,
                symbols.allSatisfy({ Currency($0) != nil })
            else { return nil }
            return "/v1/explain?base=\(parts[0])"
                + (symbols.isEmpty ? "" : "&symbols=\(symbols.joined(separator: ","))")
        case .serve, .checkConfig, .plan, .refresh, .simulate, .healthcheck, .completions, .version, .help:
            return nil
        }
    }
}
