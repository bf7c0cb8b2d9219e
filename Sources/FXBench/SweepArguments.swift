import TestSupport

/// The arguments of `FXBench sweep`.
struct SweepArguments {
    private var instances = [1, 2, 4, 8, 16]
    private var clients = [1, 10, 100, 1_000, 10_000]
    private var seconds: Int64 = 600
    private var seed: UInt64 = 1
    private(set) var output = Output.table

    enum Output: String { case table, json }

    /// Nil where something can't be read.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--instances":
                guard let numbers = Self.numbers(value, atMost: 1_000) else { return nil }
                instances = numbers
            case "--clients":
                guard let numbers = Self.numbers(value, atMost: 1_000_000) else { return nil }
                clients = numbers
            case "--seconds":
                guard let number = Int64(value), (60...86_400).contains(number) else { return nil }
                seconds = number
            case "--seed":
                guard let number = UInt64(value) else { return nil }
                seed = number
            case "--output":
                guard let form = Output(rawValue: value) else { return nil }
                output = form
            default: return nil
            }
        }
    }

    /// Every number of instances with every number of clients.
    var points: [SweepSettings] {
        instances.flatMap { instances in
            clients.map { clients in
                var settings = SweepSettings(instances: instances, clients: clients)
                settings.length = .seconds(seconds)
                settings.seed = seed
                return settings
            }
        }
    }

    private static func numbers(_ text: String, atMost most: Int) -> [Int]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let numbers = parts.compactMap { $0.flatMap { (1...most).contains($0) ? $0 : nil } }
        return numbers.count == parts.count ? numbers : nil
    }
}
