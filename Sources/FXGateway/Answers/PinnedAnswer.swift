import CacheLayer

/// An answer from a snapshot that was asked for by name or by instant, rendered: nothing of it moves with the clock.
struct PinnedAnswer {
    let route: RouteName
    let body: [UInt8]
    /// The strong validator with its quotes.
    let etag: [UInt8]
    /// Fields of a 200 and a 304 alike, each line with its CRLF.
    ///
    /// No `Age`: what can't change doesn't get older, and a week counted from fetched-at would only shorten a cache's year.
    let lines: [UInt8]
    /// The data time in whole seconds since 1970.
    let lastModified: Int64

    /// An answer whose request named the snapshot itself (`isNamed`), so that it never changes; or an instant: then it is
    /// looked for again each time, since what was the newest then is the store's to say.
    init(route: RouteName, plan: SelectionPlan, body: [UInt8], isNamed: Bool, visibility: CacheVisibility) {
        let labels = SelectionLabels(plan)
        self.route = route
        self.body = body
        etag = EntityTag.strong(of: body)
        lastModified = labels.dataTime.instant.value.flooredSeconds
        let reuse = isNamed ? "max-age=31536000, immutable" : "no-cache"
        var lines = AnswerLines(plan, labels, reuse: reuse, etag: etag, visibility: visibility)
        lines.labels.add("Cache-Status", "fxgateway; hit; detail=pinned")
        self.lines = lines.reuse + lines.labels
    }
}
