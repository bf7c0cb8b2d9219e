/// Counts the publications of a daily fix that should have come by the calendar and have not.
///
/// A pure value. Only an answer that was fetched after the grace and still lacks the fix is evidence: while nothing is
/// fetched, nothing is known to be missing. Each publication counts once, however late it comes.
struct PublicationWatch: Hashable, Sendable {
    /// How many were missing when an answer was fetched after their time and grace.
    private(set) var missed: Int64 = 0
    /// Publications up to this one are done with.
    private var settled: UnixMilliseconds

    /// A gap of more publications than a year has is a clock's jump, not upstream's doing.
    private static let most = 300

    /// Begins with an answer fetched at `start`: what was missing before it is somebody else's to count.
    init(from start: UnixMilliseconds) {
        settled = PublicationCalendar.ecb.last(atOrBefore: start + (.zero - TierPolicy.publicationGrace))
    }

    /// Takes note of an answer with the newest fix that it has.
    ///
    /// - Returns: the publications that are missing in it and weren't known to be, the oldest first.
    mutating func note(newestFix: UnixMilliseconds, fetchedAt: UnixMilliseconds) -> [UnixMilliseconds] {
        let end = fetchedAt + (.zero - TierPolicy.publicationGrace)
        var news: [UnixMilliseconds] = []
        var next = PublicationCalendar.ecb.next(
            after: max(PublicationCalendar.ecb.fix(at: newestFix), settled))
        while next <= end, news.count < Self.most {
            news.append(next)
            next = PublicationCalendar.ecb.next(after: next)
        }
        settled = max(settled, news.last ?? settled)
        missed += Int64(news.count)
        return news
    }
}
