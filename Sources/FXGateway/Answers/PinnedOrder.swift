import CacheLayer

/// What is to be computed from a past snapshot.
enum PinnedOrder {
    case selection(Selection)
    case batch(ConversionOrder, ConvertOptions)
    /// The snapshot's own table.
    case table(SymbolList?, NumberForm)

    /// The currency whose table is asked for; nil is the snapshot's own.
    var base: Currency? {
        switch self {
        case .selection(let selection): selection.base
        case .batch(let order, _): order.from
        case .table: nil
        }
    }

    var route: RouteName {
        switch self {
        case .selection(let selection): selection.routeName
        case .batch: .convertBatch
        case .table: .snapshot
        }
    }
}
