/// The pages of a range, each asked for when it is taken.
public struct RangePages: AsyncSequence, Sendable {
    /// One page, at most 366 rows.
    public typealias Element = RangePage
    /// What came of a call.
    public typealias Failure = ExchangeRateError

    let client: ExchangeRateClient
    let first: Day
    let last: Day
    let base: String
    let symbols: [String]

    /// The rows of all pages one by one, oldest first.
    public var rows: RangeRows { RangeRows(pages: self) }

    /// Asks nothing yet.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    /// Takes the pages in their order.
    public struct Iterator: AsyncIteratorProtocol {
        let pages: RangePages
        private var cursor: String?
        private var newest: Day?
        private var isOver = false

        init(pages: RangePages) { self.pages = pages }

        /// The next page; nil behind the last one.
        ///
        /// - Throws: what came of the call; `undecodable` for a page that doesn't lead on, which would never end.
        public mutating func next() async throws(ExchangeRateError) -> RangePage? {
            guard !isOver else { return nil }
            // Whatever happens below, a sequence that has failed is over.
            isOver = true
            let page = try await pages.client.range(
                from: pages.first, to: pages.last, base: pages.base, symbols: pages.symbols, cursor: cursor)
            if page.hasMore {
                guard let last = page.rows.last?.date, newest.map({ $0 < last }) ?? true else {
                    throw .undecodable(member: "next_cursor")
                }
                newest = last
                cursor = page.nextCursor
                isOver = false
            }
            return page
        }
    }
}
