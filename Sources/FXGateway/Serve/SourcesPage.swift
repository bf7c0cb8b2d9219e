import CacheLayer

/// The body of `/v1/sources`: each source of each table that is held, with its cadence and its misses.
///
/// Nothing secret.
enum SourcesPage {
    static func body(of gateway: Gateway) -> [UInt8] {
        body(
            of: gateway.refresher.board.status, policy: gateway.configuration.tierPolicy,
            now: .now, wall: .now)
    }

    static func body(
        of status: RefreshStatus, policy: TierPolicy, now: ContinuousClock.Instant, wall: UnixMilliseconds
    ) -> [UInt8] {
        var json = JSONText(reserving: 1_024)
        json.beginObject()
        json.member("result", string: "success")
        json.member("time", string: wall.rfc3339)
        json.name("sources")
        json.beginArray()
        for (resource, view) in status.resources {
            guard let adopted = view.adopted else { continue }
            let (snapshot, age) = (adopted.snapshot, adopted.age(at: now))
            let reason = view.condition.staleReason(of: snapshot, at: snapshot.fetchedAt + age, policy)
            let next = view.condition.delaying(policy.nextRefresh(of: snapshot))
            for report in SourceReport.all(in: snapshot, age: age, policy: policy) {
                add(
                    report, missed: status.missedPublications[resource] ?? 0, reason: reason,
                    nextRefresh: next, to: &json)
            }
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func add(
        _ report: SourceReport, missed: Int64, reason: StaleReason, nextRefresh: UnixMilliseconds,
        to json: inout JSONText
    ) {
        json.beginObject()
        json.member("source", string: report.source.name)
        json.member("resource", string: report.resource.name)
        json.member("tier", string: tier(report.source))
        json.member("schedule", string: report.source.schedule)
        if let interval = report.interval {
            json.member("interval_seconds", integer: Int(clamping: interval.components.seconds))
        }
        json.member("data_updated_at", string: report.dataTime.text)
        if let next = report.nextPublication { json.member("next_publication", string: next.rfc3339) }
        json.member("next_refresh", string: nextRefresh.rfc3339)
        json.member("state", string: report.state.name)
        if report.state != .fresh {
            json.member("reason", string: (report.ownReason ?? reason).rawValue)
        }
        if report.nextPublication != nil {
            json.member("missed_publications", integer: Int(clamping: missed))
        }
        add("symbols", report.symbols, to: &json)
        add("stale_symbols", report.staleSymbols, to: &json)
        json.endObject()
    }

    private static func add(_ name: StaticString, _ codes: [Currency], to json: inout JSONText) {
        json.name(name)
        json.beginArray()
        for code in codes { json.string(code.code) }
        json.endArray()
    }

    /// The policy that a source is served by.
    private static func tier(_ source: Source) -> String {
        switch source {
        case .live, .ecbDaily, .fredDaily: source.name
        case .unknown: "unknown"
        }
    }
}

extension Source {
    /// When it is asked for, for people.
    var schedule: String {
        switch self {
        case .live, .unknown: "every interval"
        case .ecbDaily: "16:00 Europe/Berlin on TARGET days"
        case .fredDaily: "once a day"
        }
    }
}
