import CacheLayer
import TestSupport

/// The arguments of `FXBench month`.
struct MonthArguments {
    private var seed: UInt64 = 1
    private var month = "2026-03"
    private var bases = "USD,EUR,GBP"
    private var plans: [String] = []
    /// What is to be run, in this order; never empty.
    private(set) var months: [MonthSettings] = []

    private static let usualPlans = ["1000:60", "10000:60", "50000:60", "100000:20"]

    /// Nil where something can't be read.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--seed":
                guard let number = UInt64(value) else { return nil }
                seed = number
            case "--month": month = value
            case "--bases": bases = value
            case "--plan": plans.append(value)
            default: return nil
            }
        }
        guard let month = Month(text: month) else { return nil }
        let codes = bases.split(separator: ",", omittingEmptySubsequences: false)
        let currencies = codes.compactMap { Currency($0) }
        guard currencies.count == codes.count, !currencies.isEmpty else { return nil }
        for plan in plans.isEmpty ? Self.usualPlans : plans {
            let parts = plan.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
            guard parts.count == 2, let calls = parts[0], let seconds = parts[1], calls > 0, seconds > 0
            else {
                return nil
            }
            months.append(
                MonthSettings(
                    seed: seed, plan: calls, liveTTL: .seconds(seconds), month: month, bases: currencies))
        }
    }
}
