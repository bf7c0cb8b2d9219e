/// Says of each mark of the plan once a month that it has been passed.
struct QuotaMarks: Hashable, Sendable {
    private var month = ""
    private var told: Set<Int64> = []

    /// The marks that are reached and have not been told in this month.
    mutating func news(month: String, reached: [Int64]) -> [Int64] {
        if self.month != month {
            self.month = month
            told = []
        }
        let news = reached.filter { !told.contains($0) }
        told.formUnion(news)
        return news
    }
}
