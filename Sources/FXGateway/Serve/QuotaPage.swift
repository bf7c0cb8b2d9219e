import CacheLayer

/// The body of `/v1/quota`: the fleet's month, and which clients this instance's own calls were made for.
///
/// Nothing secret. `quota.used` is the fleet's; of it `attribution.calls` were made here since `since`, in parts that add
/// up to them exactly, and `elsewhere` by other instances or before, or assumed where the ledger itself began in mid-month.
enum QuotaPage {
    static func body(of gateway: Gateway) -> [UInt8] {
        let status = gateway.refresher.board.status
        let wall = UnixMilliseconds.now
        var json = JSONText(reserving: 4_096)
        json.beginObject()
        json.member("result", string: "success")
        json.member("fleet", string: gateway.configuration.fleet)
        json.member("time", string: wall.rfc3339)
        QuotaText.addQuota(to: &json, gateway.configuration.quotaPlan, status)
        QuotaText.addCooldowns(to: &json, status, wall: wall)
        addBurn(to: &json, gateway.refresher.board.burn)
        addAttribution(to: &json, gateway, status)
        json.endObject()
        return json.bytes
    }

    /// Adds `burn`: how the month's calls have come about since this instance looks.
    private static func addBurn(to json: inout JSONText, _ burn: MonthBurn) {
        guard let first = burn.first else { return }
        json.name("burn")
        json.beginObject()
        json.member("month", string: burn.month)
        json.member("since", string: first.at.rfc3339)
        json.member("used_then", integer: Int(clamping: first.used))
        json.name("days")
        json.beginArray()
        for day in burn.days {
            json.beginObject()
            json.member("day", integer: Int(clamping: day.number))
            json.member("used", integer: Int(clamping: day.used))
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    private static func addAttribution(to json: inout JSONText, _ gateway: Gateway, _ status: RefreshStatus) {
        let month = status.shadow?.month ?? Month(containing: .now).description
        let tally = gateway.attribution.tally(of: month)
        json.name("attribution")
        json.beginObject()
        json.member("instance", string: Gateway.instanceName())
        json.member("month", string: month)
        json.member("since", string: gateway.attribution.since.rfc3339)
        json.member("calls", integer: Int(clamping: tally.calls))
        if let shadow = status.shadow {
            let others = shadow.counted - shadow.reserved - tally.calls
            json.member("elsewhere", integer: Int(clamping: max(0, others)))
        }
        json.name("classes")
        json.beginObject()
        for (name, count) in tally.classes.sorted(by: { $0.key < $1.key }) {
            json.name(name)
            json.integer(Int(clamping: count))
        }
        json.endObject()
        json.name("clients")
        json.beginArray()
        let report = ClientReport(
            gateway.names.all, clients: gateway.secrets.clients,
            counters: gateway.applications.map(\.clientCounters), tally: tally,
            wants: gateway.attribution.wants)
        for row in report.rows { add(row, to: &json) }
        json.endArray()
        json.endObject()
    }

    private static func add(_ row: ClientReport.Row, to json: inout JSONText) {
        json.beginObject()
        json.member("name", string: row.name)
        json.member("verified", boolean: row.isVerified)
        json.member("calls", verbatim: CallTally.text(row.share))
        json.member("requests", integer: row.requests)
        json.member("limited", integer: row.limited)
        if let perMinute = row.perMinute { json.member("per_minute", integer: perMinute) }
        json.name("resources")
        json.beginArray()
        for name in row.resources { json.string(name) }
        json.endArray()
        json.endObject()
    }
}
