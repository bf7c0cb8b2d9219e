import CacheLayer

/// The body of `/v1/status`: the fleet as this instance knows it.
///
/// Nothing secret.
enum StatusPage {
    static func body(of gateway: Gateway) -> [UInt8] {
        let status = gateway.refresher.board.status
        let wall = UnixMilliseconds.now
        var json = JSONText(reserving: 2_048)
        json.beginObject()
        json.member("result", string: "success")
        json.member("version", string: GatewayVersion.text)
        json.member("fleet", string: gateway.configuration.fleet)
        json.member("time", string: wall.rfc3339)
        json.member("ready", boolean: gateway.readiness.takesTraffic)
        json.name("degraded")
        json.beginArray()
        for word in gateway.readiness.degraded { json.string(word) }
        json.endArray()
        StoreView(gateway.store).add(to: &json, status)
        FleetText.add(to: &json, gateway, status, wall: wall)
        addStateFile(to: &json, gateway)
        addOffline(to: &json, gateway, status)
        QuotaText.addQuota(to: &json, gateway.configuration.quotaPlan, status)
        QuotaText.addCooldowns(to: &json, status, wall: wall)
        json.name("resources")
        json.beginArray()
        for (resource, view) in status.resources {
            add(resource, view, gateway.configuration.tierPolicy, to: &json)
        }
        json.endArray()
        json.name("fetching_here")
        json.beginArray()
        for resource in status.flights { json.string(resource.name) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// Its place isn't shown: a path tells more of the machine than a status page should.
    private static func addStateFile(to json: inout JSONText, _ gateway: Gateway) {
        json.name("state_file")
        json.beginObject()
        json.member("on", boolean: gateway.state != nil)
        if let health = gateway.state?.keeper.health {
            if let age = health.lastWrite {
                json.member("last_write_seconds_ago", integer: Int(clamping: age.components.seconds))
                json.member("bytes", integer: health.bytes)
            }
            if let fault = health.fault { json.member("error", string: fault.rawValue) }
        }
        json.endObject()
    }

    private static func addOffline(to json: inout JSONText, _ gateway: Gateway, _ status: RefreshStatus) {
        guard gateway.store.isShared else { return }
        json.name("offline_calls")
        json.beginObject()
        json.member("per_hour", integer: gateway.configuration.offlineCallsPerHour)
        json.member("this_month", integer: Int(clamping: status.offlineCalls))
        json.member("last_hour", integer: Int(clamping: status.offlineLastHour))
        if let refusal = status.offlineRefusal { json.member("refused", string: refusal.rawValue) }
        json.endObject()
    }

    private static func add(
        _ resource: Resource, _ view: ResourceView, _ policy: TierPolicy, to json: inout JSONText
    ) {
        json.beginObject()
        json.member("resource", string: resource.name)
        json.member("condition", string: view.condition.name)
        if let until = view.condition.until { json.member("until", string: until.rfc3339) }
        if let adopted = view.adopted {
            let snapshot = adopted.snapshot
            json.member("snapshot", string: snapshot.id.text)
            if snapshot.list == nil {
                json.member("source", string: snapshot.table.source.name)
                json.member("data_updated_at", string: snapshot.table.dataTime.text)
            }
            json.member("fetched_at", string: snapshot.fetchedAt.rfc3339)
            json.member("age_seconds", integer: Int(clamping: adopted.age(at: .now).components.seconds))
            json.member("interval_seconds", integer: Int(clamping: snapshot.interval.components.seconds))
            if let list = snapshot.list {
                json.member("currencies", integer: list.entries.count)
            } else {
                json.member("symbols", integer: Int(clamping: Int64(snapshot.table.symbols.count)))
                QuarantineText.add(snapshot.table, to: &json)
                if resource.isLatest { addTimes(of: adopted, view.condition, policy, to: &json) }
            }
        }
        json.endObject()
    }
}

extension StatusPage {
    /// Adds how a latest table's lifetime ends, and when and by what it is due.
    private static func addTimes(
        of adopted: Adopted, _ condition: RefreshCondition, _ policy: TierPolicy, to json: inout JSONText
    ) {
        let snapshot = adopted.snapshot
        if let session = snapshot.table.marketSession { json.member("market_session", string: session) }
        json.member("token", integer: Int(clamping: snapshot.token.value))
        // The fastest source speaks for the table, as it does in an answer with all of it.
        let reports = SourceReport.all(in: snapshot, age: adopted.age(at: .now), policy: policy)
        if let report = reports.first {
            json.member("state", string: report.state.name)
            json.member("fresh_until", string: report.freshUntil.rfc3339)
        }
        let due = policy.nextRefresh(of: snapshot)
        let next = condition.delaying(due)
        json.member("next_refresh", string: next.rfc3339)
        json.member(
            "next_by", string: next > due ? condition.name : policy.refreshCause(of: snapshot).rawValue)
    }
}

extension RefreshCondition {
    /// The word on the status page.
    var name: String {
        switch self {
        case .idle: "idle"
        case .refreshing: "refreshing"
        case .queued: "queued"
        case .warmingUp: "warming_up"
        case .failing: "failing"
        case .cooldown: "cooldown"
        case .paced: "paced"
        case .quotaSpent: "quota_spent"
        case .keyRejected: "key_rejected"
        case .forbidden: "forbidden"
        case .clockDisputed: "clock_disputed"
        case .storeAway: "store_away"
        }
    }
}
