import CacheLayer

/// What is asked for, in canonical form: all requests for one thing are equal, however they were written.
enum Selection: Hashable, Sendable {
    /// A table; `symbols` nil is all of them.
    case latest(base: Currency, symbols: SymbolList?, numbers: NumberForm)
    case rate(base: Currency, quote: Currency, numbers: NumberForm)
    /// A table of a past day.
    case day(CivilDate, base: Currency, symbols: SymbolList?, numbers: NumberForm)
    /// The rows of a span of days.
    case range(RangeQuery)
    case convert(from: Currency, to: Currency, amount: WrittenAmount, options: ConvertOptions)

    /// The currency whose table is asked for.
    var base: Currency {
        switch self {
        case .latest(let base, _, _), .rate(let base, _, _), .convert(let base, _, _, _),
            .day(_, let base, _, _):
            base
        case .range(let range): range.base
        }
    }

    /// The past day that it is of; nil for the latest rates, and for a span of days.
    var date: CivilDate? {
        switch self {
        case .latest, .rate, .range: nil
        case .convert(_, _, _, let options): options.date
        case .day(let date, _, _, _): date
        }
    }

    var routeName: RouteName {
        switch self {
        case .latest: .latest
        case .rate: .rate
        case .convert: .convert
        case .day: .day
        case .range: .range
        }
    }
}
