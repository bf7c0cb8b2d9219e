import CacheLayer
import EventLoop
import Testing

@testable import FXGateway

@Suite("Commands that ask a gateway") struct AskCommandTests {
    private static func ask(
        _ command: CommandName, _ arguments: [String], at port: UInt16, token: Secret? = nil
    ) throws -> (code: ExitCode, printed: [String], complained: [String]) {
        var printed: [String] = []
        var complained: [String] = []
        let code = AskCommand.run(
            command, try CommandOptions(arguments, for: command),
            at: .tcp(host: "127.0.0.1", port: port), token: token, print: { printed.append($0) },
            complain: { complained.append($0) })
        return (code, printed, complained)
    }

    @Test("get shows one rate with all that belongs to it, in any letter case")
    func get() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let shown = try Self.ask(.get, ["usd/EUR"], at: rig.port)
            #expect(shown.code == .success && shown.complained.isEmpty)
            #expect(shown.printed.contains { $0.hasPrefix("source ") && $0.hasSuffix(" live") })
            #expect(shown.printed.contains("cache:"))
            let document = try Self.ask(.get, ["USD/EUR", "--output", "json"], at: rig.port)
            #expect(document.printed.count == 1)
            #expect(document.printed[0].hasPrefix("{"))
        }
    }

    @Test("a refusal ends with 1 and says what the gateway says")
    func refused() async throws {
        try await GatewayRig.run(clients: [SampleClients.entry("reports")]) { rig in
            let shown = try Self.ask(.status, [], at: rig.port)
            #expect(shown.code == .failure && shown.printed.isEmpty)
            #expect(shown.complained.count == 1 && shown.complained[0].hasPrefix("401 "))
        }
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let unknown = try Self.ask(.get, ["USD/QQQ"], at: rig.port)
            #expect(unknown.code == .failure && unknown.complained[0].contains("QQQ"))
        }
    }

    @Test("an operand that is none ends with 64 before anybody is asked")
    func operands() throws {
        for (command, operand) in [
            (CommandName.get, "USD"), (.get, "USD/"), (.get, "USD/EUR/GBP"), (.get, "US/EUR"),
            (.get, "USD/E R"),
            (.explain, "USD/EUR,"), (.explain, "U S"), (.explain, "USD/EUR/GBP"),
        ] {
            let (code, _, complained) = try Self.ask(command, [operand], at: 1)
            #expect(code == .usage, "\(operand)")
            #expect(complained.count == 1 && complained[0].contains("'\(operand)'"), "\(complained)")
        }
        #expect(AskCommand.target(of: .explain, ["usd"]) == "/v1/explain?base=usd")
        #expect(AskCommand.target(of: .explain, ["USD/EUR,GBP"]) == "/v1/explain?base=USD&symbols=EUR,GBP")
    }

    @Test(
        "an answer that was cut off is none",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{\"a\"", false),
            ("HTTP/1.1 200 OK\r\ncontent-length:5\r\n\r\n{\"a\":", true), ("HTTP/1.1 200 OK\r\nCont", false),
            ("HTTP/1.1 200 OK\r\n\r\n", true), ("SSH-2.0-x\r\n\r\n", false), ("", false),
        ])
    func cutOff(text: String, isWhole: Bool) {
        #expect((GatewayReply(Array(text.utf8)) != nil) == isWhole)
    }

    @Test("silence ends with 69 and a hint")
    func nobody() throws {
        let (code, _, complained) = try Self.ask(.quota, [], at: 1)
        #expect(code == .unavailable)
        #expect(
            complained == [
                "nothing answers at 127.0.0.1:1; --listen says where the gateway is, if not at FXGW_LISTEN"
            ])
    }

    @Test("a refresh sends the admin token to the route of its base, and without one asks nobody")
    func refresh() async throws {
        try await GatewayRig.run(token: "let-me-in") { rig in
            func refresh(_ arguments: [String], token: String?) throws -> ExitCode {
                let environment = token.map { ["FXGW_ADMIN_TOKEN": $0] } ?? [:]
                let configuration = try Configuration(environment: environment, cores: 1) { _ in nil }
                return RefreshCommand.run(
                    try CommandOptions(arguments, for: .refresh), configuration,
                    at: .tcp(host: "127.0.0.1", port: rig.port), print: { _ in }, complain: { _ in })
            }
            let codes = try [
                refresh([], token: nil), refresh(["E R"], token: "let-me-in"), refresh([], token: "wrong"),
            ]
            #expect(codes == [.configuration, .usage, .failure])
            #expect(rig.refreshes.withLock { $0.isEmpty })
        }
    }
}
