extension Source {
    /// The class's place from fast to slow: `live`, unknown, `ecb_daily`, `fred_daily`.
    ///
    /// Live changes by the minute, an unknown class may and isn't trusted to, the ECB publishes daily, the Fed weekly.
    package var slowness: Int {
        switch self {
        case .live: 0
        case .unknown: 1
        case .ecbDaily: 2
        case .fredDaily: 3
        }
    }

    /// Whether `left` is the faster class; of two unknown ones, the first by name counts as such.
    ///
    /// A total order, so that a pair and its opposite carry the same class.
    package static func isFaster(_ left: Source, _ right: Source) -> Bool {
        left.slowness == right.slowness ? left.name < right.name : left.slowness < right.slowness
    }
}
