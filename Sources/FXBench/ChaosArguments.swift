import TestSupport

/// The arguments of `FXBench chaos`.
struct ChaosArguments {
    private(set) var seeds = 1
    private(set) var first: UInt64 = 1
    private var seconds = 20
    private var gateways: Int?
    private var store: ChaosStore?
    private(set) var safeguard: ChaosSafeguard?
    /// The words that run a gateway; none for the one built together with this.
    private(set) var program: [String] = []

    /// Nil where something can't be read.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--seeds":
                guard let number = Int(value), number > 0 else { return nil }
                seeds = number
            case "--seed":
                guard let number = UInt64(value) else { return nil }
                first = number
            case "--seconds":
                guard let number = Int(value), (1...3_600).contains(number) else { return nil }
                seconds = number
            case "--gateways":
                guard let number = Int(value), (2...10).contains(number) else { return nil }
                gateways = number
            case "--redis":
                guard let kind = ChaosStore(rawValue: value) else { return nil }
                store = kind
            case "--aim":
                guard let one = ChaosSafeguard(rawValue: value) else { return nil }
                safeguard = one
            case "--gateway": program = [value]
            default: return nil
            }
        }
    }

    /// The runs in their order.
    ///
    /// What isn't given is the seed's own: three to five gateways, and every third run behind Sentinel.
    var runs: [ChaosSettings] {
        (0..<UInt64(seeds)).map { number in
            let seed = first &+ number
            let isAimed = safeguard != nil
            return ChaosSettings(
                seed: seed, seconds: seconds, gateways: gateways ?? (isAimed ? 2 : 3 + Int(seed % 3)),
                store: store ?? (seed % 3 == 0 && !isAimed ? .sentinel : .standalone), safeguard: safeguard)
        }
    }
}
