import CacheLayer
import Testing

@testable import FXGateway

@Suite("The plan command") struct PlanCommandTests {
    /// 2026-03-10T14:00:00Z.
    private static let now = UnixMilliseconds(1_773_151_200_000)

    private static func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (code: ExitCode, printed: [String], complained: [String]) {
        let configuration = try Configuration(environment: environment, cores: 1) { _ in nil }
        let options = try CommandOptions(arguments, for: .plan)
        var printed: [String] = []
        var complained: [String] = []
        let code = PlanCommand.run(
            options, configuration, now: now, print: { printed.append($0) },
            complain: { complained.append($0) })
        return (code, printed, complained)
    }

    @Test("speaks of the configuration and the present month, and ends with 1 where the pace has to help")
    func configured() throws {
        let (code, printed, complained) = try Self.run([])
        #expect(code == .failure && complained.isEmpty)
        #expect(printed.contains("month                                2026-03"))
        #expect(printed.contains("plan                                 10000 calls"))
        #expect(printed.contains("without the pace                     spent on 2026-03-07"))
        #expect(printed.last?.contains("FXGW_LIVE_TTL=282s") == true, "\(printed)")
    }

    @Test(
        "the interval that it suggests lasts the month, and one second less doesn't",
        arguments: [10_000, 999])
    func suggestion(quota: Int) throws {
        let configuration = try Configuration(
            environment: ["FXGW_QUOTA_MONTHLY": "\(quota)", "EXCHANGERATE_API_KEY": "FXKEY-TEST-123"],
            cores: 1
        ) { _ in nil }
        func wished(_ seconds: Int64) throws -> PlanQuestion {
            try PlanQuestion(
                CommandOptions(["--live-ttl", "\(seconds)s"], for: .plan), configuration, now: Self.now)
        }
        let lasting = try wished(60).lastingInterval.components.seconds
        let target = Int64(quota) * 950 / 1_000
        #expect(try wished(lasting).forecast(isPaced: false).calls <= target + 1)
        #expect(try wished(lasting - 1).forecast(isPaced: false).calls > target)
    }

    @Test("each recipe lasts with the plan that it names", arguments: PlanRecipe.allCases)
    func recipes(recipe: PlanRecipe) throws {
        let (code, printed, _) = try Self.run(["--recipe", recipe.rawValue])
        #expect(code == .success, "\(printed)")
        for (name, value) in recipe.environment { #expect(printed.contains("\(name)=\(value)")) }
    }

    @Test("the README has each recipe with its variables and what a month of 31 days costs")
    func readme() throws {
        let rows = try ProjectFiles.rows("## What a month costs", of: "README.md")
        let expected = try PlanRecipe.allCases.map { recipe in
            let configuration = try Configuration(environment: [:], cores: 1) { _ in nil }
            let options = try CommandOptions(["--recipe", recipe.rawValue, "--month", "2026-03"], for: .plan)
            let question = try PlanQuestion(options, configuration, now: Self.now)
            let variables = recipe.environment.map { "\($0)=\($1)" }.joined(separator: " ")
            return [recipe.rawValue, variables, "\(question.forecast(isPaced: true).calls)"]
        }
        #expect(rows.map { [String($0[0].prefix { $0 != ":" }), $0[1], $0[2]] } == expected)
    }

    @Test("options stand above a recipe, that above the configuration")
    func order() throws {
        let environment = ["FXGW_LIVE_TTL": "5m", "FXGW_QUOTA_MONTHLY": "77", "FXGW_BASES": "CHF,GBP"]
        let plain = try Self.run(["--output", "json"], environment: environment).printed[0]
        #expect(plain.contains(#""bases":["CHF","GBP"],"tier":"live","live_ttl_seconds":300,"plan":77,"#))
        let recipe = try Self.run(
            ["--recipe=daily", "--quota=500", "--output=json"], environment: environment
        ).printed[0]
        #expect(recipe.contains(#""live_ttl_seconds":43200,"plan":500,"#))
    }

    @Test(
        "a value that isn't understood is named with its option, and ends with 64",
        arguments: [
            ("--bases", "USD,USD"), ("--bases", "US"), ("--tier", "hourly"), ("--live-ttl", "60"),
            ("--live-ttl", "999ms"), ("--quota", "0"), ("--quota", "many"), ("--month", "2026-13"),
            ("--instances", "0"), ("--recipe", "weekly"),
        ])
    func bad(option: String, value: String) throws {
        let (code, printed, complained) = try Self.run([option, value])
        #expect(code == .usage && printed.isEmpty)
        #expect(complained.count == 1)
        #expect(complained[0].contains(option) && complained[0].contains("'\(value)'"), "\(complained)")
    }
}
