import CacheLayer

/// What is asked for, in canonical form: all requests for one thing are equal, however they were written.
enum Selection: Hashable, Sendable {
    /// A table; `symbols` nil is all of them.
    case latest(base: Currency, symbols: SymbolList?, numbers: NumberForm)
    case rate(base: Currency, quote: Currency, numbers: NumberForm)
    case convert(from: Currency, to: Currency, amount: WrittenAmount, options: ConvertOptions)

    /// The currency whose table is asked for.
    var base: Currency {
        switch self {
        case .latest(let base, _, _), .rate(let base, _, _), .convert(let base, _, _, _): base
        }
    }

    var routeName: RouteName {
        switch self {
        case .latest: .latest
        case .rate: .rate
        case .convert: .convert
        }
    }
}
