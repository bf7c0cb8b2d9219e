/// One thing that upstream can be asked for and that is cached as one.
///
/// Its `name` is the last part of its Redis keys and the label in logs and metrics.
package enum Resource: Hashable, Sendable, CustomStringConvertible {
    /// The latest table of a base, all symbols.
    case latest(base: Currency)
    /// One calendar year of a base's daily rows.
    case year(base: Currency, year: Int)
    /// The list of currencies.
    case currencies
    /// How much of the plan the key has used, by upstream's count: asked for by the fleet itself, kept nowhere.
    case account

    /// `latest:USD`, `year:USD:2025`, `currencies`, `account`.
    package var name: String {
        switch self {
        case .latest(let base): "latest:\(base)"
        case .year(let base, let year): "year:\(base):\(year)"
        case .currencies: "currencies"
        case .account: "account"
        }
    }

    package var description: String { name }

    /// Reads what `name` wrote; nil for anything else.
    package init?(name: some StringProtocol) {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("latest", 2):
            guard let base = Currency(parts[1]) else { return nil }
            self = .latest(base: base)
        case ("year", 3):
            guard let base = Currency(parts[1]), let year = Int(parts[2]), CivilDate.years.contains(year)
            else { return nil }
            self = .year(base: base, year: year)
        case ("currencies", 1): self = .currencies
        case ("account", 1): self = .account
        default: return nil
        }
        // Other letters, a plus or zeros in front: a second name of one thing.
        guard self.name == name else { return nil }
    }

    package var isLatest: Bool { if case .latest = self { true } else { false } }
    package var isYear: Bool { if case .year = self { true } else { false } }

    /// Whether it may be called for only where no latest table is due: history, and the list.
    package var goesBehindLatest: Bool {
        switch self {
        case .year, .currencies: true
        case .latest, .account: false
        }
    }

    /// The ledger's class for a call that this resource causes.
    package var callClass: String {
        switch self {
        case .latest: "latest"
        case .year: "history"
        case .currencies: "currencies"
        case .account: "account"
        }
    }

    /// What upstream refuses together with it (403): a base by itself, all of history, the list, the account.
    package var refusalKind: String {
        switch self {
        case .latest, .currencies, .account: name
        case .year: "history"
        }
    }
}
