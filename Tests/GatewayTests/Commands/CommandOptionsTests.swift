import Testing

@testable import FXGateway

@Suite("A command's line") struct CommandOptionsTests {
    @Test("options take their value behind a blank or an equals sign, operands stand anywhere")
    func forms() throws {
        let options = try CommandOptions(
            ["--output", "json", "USD/EUR", "--listen=127.0.0.1:1"], for: .get)
        #expect(options.output == .json)
        #expect(options.operands == ["USD/EUR"])
        #expect(options[.listen] == "127.0.0.1:1")
        #expect(options[.tokenFile] == nil)
        #expect(try CommandOptions(["--force"], for: .refresh)[.force] == "")
    }

    @Test("what a command doesn't know is refused by name")
    func refused() {
        func problem(_ arguments: [String], _ command: CommandName) -> CommandOptions.Problem? {
            do throws(CommandOptions.Problem) {
                _ = try CommandOptions(arguments, for: command)
                return nil
            } catch {
                return error
            }
        }
        #expect(problem(["--ready"], .serve) == .unknown("--ready"))
        #expect(problem(["--output", "xml"], .status) == .badOutput("xml"))
        #expect(problem(["--output"], .status) == .missingValue("--output"))
        #expect(problem(["--force=yes"], .refresh) == .noValue("--force"))
        #expect(problem(["EUR", "USD"], .refresh) == .tooMany("USD"))
        #expect(problem([], .get) == .missingOperand("BASE/QUOTE"))
        #expect(problem(["--help"], .get) == nil)
    }

    @Test("every command has its help, with each of its options", arguments: CommandName.allCases)
    func help(command: CommandName) {
        var printed: [String] = []
        #expect(HelpCommand.run(for: command, print: { printed.append($0) }) == .success)
        let text = printed.joined(separator: "\n")
        #expect(text.hasPrefix("usage: fxgateway \(command.rawValue)"))
        for option in command.options { #expect(text.contains(option.rawValue), "\(option)") }
    }
}
