/// One fault of a plan.
package struct ChaosStep: Hashable, Sendable, CustomStringConvertible {
    package let kind: ChaosKind
    /// From the storm's beginning.
    package let at: Duration
    package let length: Duration
    /// Whose place it strikes; nil where it strikes them all.
    package let gateway: Int?
    /// How much of it: what that means depends on the kind.
    package let amount: Int

    package init(kind: ChaosKind, at: Duration, length: Duration, gateway: Int? = nil, amount: Int) {
        self.kind = kind
        self.at = at
        self.length = length
        self.gateway = gateway
        self.amount = amount
    }

    package var lane: ChaosKind.Lane {
        if let gateway { return .gateway(gateway) }
        return kind.isUpstreams ? .upstream : .store
    }

    /// How long after its end it may still have one: a started process needs some time until it is one of the fleet, and so
    /// does a link.
    var effect: Duration {
        switch lane {
        case .gateway: .seconds(4)
        case .store: .milliseconds(1_500)
        case .upstream: .milliseconds(500)
        }
    }

    package var description: String {
        let place = gateway.map { " of place \($0)" } ?? ""
        return "\(kind.rawValue)\(place) at \(at) for \(length), \(amount)"
    }
}

extension ChaosKind {
    /// Whether it is upstream that it strikes.
    package var isUpstreams: Bool {
        switch self {
        case .slowUpstream, .hangUpstream, .resetUpstream, .failUpstream, .limitUpstream, .garbleUpstream,
            .shiftUpstream:
            true
        default: false
        }
    }
}
