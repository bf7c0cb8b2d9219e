/// The rows of a range one by one, its pages asked for as they are needed.
public struct RangeRows: AsyncSequence, Sendable {
    /// The rates of one day.
    public typealias Element = RangeRow
    /// What came of a call.
    public typealias Failure = ExchangeRateError

    let pages: RangePages

    /// Asks nothing yet.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Takes the rows in their order.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: RangePages.Iterator
        private var rows: ArraySlice<RangeRow> = []

        init(pages: RangePages.Iterator) { self.pages = pages }

        /// The next row; nil behind the last one.
        ///
        /// - Throws: what came of the call for its page.
        public mutating func next() async throws(ExchangeRateError) -> RangeRow? {
            while rows.isEmpty {
                guard let page = try await pages.next() else { return nil }
                rows = page.rows[...]
            }
            return rows.removeFirst()
        }
    }
}
