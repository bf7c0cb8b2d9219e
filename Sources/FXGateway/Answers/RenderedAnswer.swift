import CacheLayer

/// One answer, rendered: everything of it that doesn't move with the clock.
///
/// Belongs to one loop, whose clock its instants are on.
final class RenderedAnswer {
    let route: RouteName
    /// The resource that should answer this, and that is told when this one isn't fresh.
    let wanted: Resource
    let snapshot: RateSnapshot
    let state: Freshness
    let body: [UInt8]
    let contentType: StaticString
    /// Whether it can't change any more.
    let isSettled: Bool
    /// The strong validator with its quotes (RFC 9110 section 8.8.3).
    let etag: [UInt8]
    /// Fields of a 200 and a 304 alike, each line with its CRLF.
    let lines: [UInt8]
    /// Where in `lines` those begin that tell of the rates, behind those that let a cache keep the answer.
    let labelsStart: Int
    /// What follows the ttl in Cache-Status: `; detail=derived` or nothing.
    let statusTail: [UInt8]
    /// When its age was zero.
    let born: Int64
    /// From fetched-at to the end of the lifetime, in whole seconds.
    let lifetime: Int64
    /// From this instant on it must be rendered anew: the state of something in it is another.
    let validUntil: Int64
    /// The data time in whole seconds since 1970; nil where it isn't fresh.
    ///
    /// A rate that turns stale keeps its data time: by a date alone the body that says "fresh" would be taken for still true.
    let lastModified: Int64?
    /// When the oldest of its rates was observed, on the loop's clock.
    let oldestData: Int64
    /// The classes of its rates.
    let sources: Set<Source>
    /// When its snapshot is due for a refresh, by the store's clock.
    let nextRefresh: UnixMilliseconds
    /// Whether its resource is due for a word to the refresher at each use.
    let isWanting: Bool
    let demand: DemandNote

    init(
        route: RouteName, plan: SelectionPlan, holding: Holding, wanted: Resource, body: [UInt8],
        visibility: CacheVisibility, demand: DemandNote
    ) {
        let labels = SelectionLabels(plan)
        self.route = route
        self.wanted = wanted
        self.body = body
        self.demand = demand
        contentType = "application/json"
        isSettled = plan.isSettled
        snapshot = plan.snapshot
        oldestData = holding.local(labels.oldestTime.instant)
        sources = labels.sources
        nextRefresh = plan.nextRefresh
        state = plan.state
        etag = EntityTag.strong(of: body)
        born = holding.born
        lifetime = Self.lifetime(isSettled: plan.isSettled, plan.freshUntil, plan.snapshot)
        validUntil = holding.local(plan.changesAt)
        lastModified = plan.isToldByTime ? labels.dataTime.instant.value.flooredSeconds : nil
        isWanting = plan.state != .fresh || wanted != plan.resource
        let lines = AnswerFields.lines(
            plan, labels, condition: holding.view.condition, etag: etag, lifetime: lifetime,
            visibility: visibility)
        self.lines = lines.reuse + lines.labels
        labelsStart = lines.reuse.count
        let detail =
            plan.reason?.rawValue
            ?? (plan.served.contains(where: \.quote.derivation.isDerived) ? "derived" : nil)
        statusTail = Array((detail.map { "; detail=\($0)" } ?? "").utf8)
    }

    /// A page of a range.
    init(
        page: RangePage, body: [UInt8], etag: [UInt8], contentType: StaticString,
        visibility: CacheVisibility, demand: DemandNote
    ) {
        let holding = page.worst
        route = .range
        wanted = holding.snapshot.resource
        self.body = body
        self.contentType = contentType
        self.demand = demand
        isSettled = page.isSettled
        snapshot = holding.snapshot
        let times = page.rows.map(\.dataTime)
        oldestData = holding.local(times.min() ?? holding.snapshot.fetchedAt)
        sources = page.sources
        nextRefresh = page.nextRefresh
        state = page.state
        self.etag = etag
        born = holding.born
        lifetime = Self.lifetime(isSettled: page.isSettled, page.freshUntil, holding.snapshot)
        validUntil = holding.local(page.changesAt)
        lastModified = page.state == .fresh ? times.max().map(\.value.flooredSeconds) : nil
        isWanting = page.state != .fresh
        let lines = AnswerFields.lines(page, etag: etag, lifetime: lifetime, visibility: visibility)
        self.lines = lines.reuse + lines.labels
        labelsStart = lines.reuse.count
        let detail = page.reason?.rawValue ?? (page.isDerived ? "derived" : nil)
        statusTail = Array((detail.map { "; detail=\($0)" } ?? "").utf8)
    }

    /// The list of currencies: without a class, and without a time but that of its arrival.
    init(
        list holding: Holding, standing: EntryStanding, body: [UInt8], nextRefresh: UnixMilliseconds,
        visibility: CacheVisibility, demand: DemandNote
    ) {
        route = .currencies
        wanted = .currencies
        self.body = body
        self.demand = demand
        contentType = "application/json"
        isSettled = false
        snapshot = holding.snapshot
        oldestData = holding.born
        sources = []
        self.nextRefresh = nextRefresh
        state = standing.state
        etag = EntityTag.strong(of: body)
        born = holding.born
        lifetime = Self.lifetime(isSettled: false, standing.freshUntil, holding.snapshot)
        validUntil = holding.local(state == .fresh ? standing.freshUntil : standing.servedUntil)
        lastModified = standing.state == .fresh ? holding.snapshot.fetchedAt.value.flooredSeconds : nil
        isWanting = standing.state != .fresh
        let lines = AnswerFields.lines(
            list: holding, standing, etag: etag, lifetime: lifetime, nextRefresh: nextRefresh,
            visibility: visibility)
        self.lines = lines.reuse + lines.labels
        labelsStart = lines.reuse.count
        statusTail = Array((holding.reason(of: standing).map { "; detail=\($0.rawValue)" } ?? "").utf8)
    }

    /// A year: for ever, as far as caches go.
    private static let settledLifetime: Int64 = 31_536_000

    private static func lifetime(
        isSettled: Bool, _ freshUntil: UnixMilliseconds, _ snapshot: RateSnapshot
    ) -> Int64 {
        isSettled ? settledLifetime : max(0, freshUntil.value - snapshot.fetchedAt.value) / 1_000
    }

    /// Whole seconds since fetched-at, at least zero (RFC 9111 section 5.1).
    ///
    /// What is settled never gets too old: a day of its lifetime is always left.
    func age(at now: Int64) -> Int64 {
        let age = max(0, now - born) / 1_000
        return isSettled ? min(age, lifetime - 86_400) : age
    }
}

extension Int64 {
    /// Milliseconds in whole seconds, rounded down.
    var flooredSeconds: Int64 { self >= 0 ? self / 1_000 : (self - 999) / 1_000 }
}
