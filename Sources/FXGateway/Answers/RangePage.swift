import CacheLayer

/// What an answer to a range will say: the rows of one page, and how the whole stands.
struct RangePage: Sendable {
    let query: RangeQuery
    /// In the order of their days; none without a rate.
    let rows: [Row]
    /// The last day of this page, if there are rows behind it.
    let next: CivilDate?
    /// Asked for by name, but without a rate on any day of the page; sorted.
    let unavailable: [Currency]
    /// The years that it stands on, in their order; never empty.
    let years: [Holding]
    /// Of these, the one that makes the state.
    let worst: Holding
    /// Whether no day of it can change any more.
    let isSettled: Bool
    let state: Freshness
    /// Why it isn't fresh; nil if it is.
    let reason: StaleReason?
    let freshUntil: UnixMilliseconds
    let servedUntil: UnixMilliseconds
    /// When its state changes next.
    let changesAt: UnixMilliseconds
    let nextRefresh: UnixMilliseconds

    /// As upstream's pages.
    static let mostRows = 366

    /// One day of the range.
    struct Row {
        let date: CivilDate
        let source: Source
        let isForwardFilled: Bool
        let dataTime: UnixMilliseconds
        /// In the order of their codes; never empty.
        let quotes: [PairQuote]
    }

    /// Every class among its rows.
    var sources: Set<Source> { Set(rows.map(\.source)) }

    /// Whether any rate was computed.
    var isDerived: Bool { rows.contains { $0.quotes.contains(where: \.derivation.isDerived) } }
}
