/// What became of a draft of a range.
struct MadeRange: Sendable {
    let outcome: RangeOutcome
    /// The page's; empty where there is none.
    let body: [UInt8]
    /// The body's.
    let etag: [UInt8]

    /// No page.
    init(outcome: RangeOutcome) { (self.outcome, body, etag) = (outcome, [], []) }

    init(_ page: RangePage) {
        outcome = .page(page)
        body = page.query.format == .csv ? HistoryRenderer.csv(page) : HistoryRenderer.json(page)
        etag = EntityTag.strong(of: body)
    }
}
