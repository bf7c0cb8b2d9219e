import CacheLayer

/// What the status page, the quota page and explanations say alike: the month's budget and the pauses of upstream calls.
enum QuotaText {
    /// Adds `quota`: the fleet's month, as the store told it last; nothing before it has.
    static func addQuota(to json: inout JSONText, _ plan: QuotaPlan, _ status: RefreshStatus) {
        guard let shadow = status.shadow else { return }
        json.name("quota")
        json.beginObject()
        json.member("month", string: shadow.month)
        json.member("limit", integer: Int(clamping: shadow.plan))
        json.member("used", integer: Int(clamping: shadow.counted + shadow.external))
        json.member("reserved", integer: Int(clamping: shadow.reserved))
        json.member("remaining", integer: Int(clamping: shadow.left))
        json.member("counted", integer: Int(clamping: shadow.counted))
        json.member("assumed", integer: Int(clamping: shadow.assumed))
        if let reason = shadow.assumedReason { json.member("assumed_reason", string: reason) }
        json.member("external", integer: Int(clamping: shadow.external))
        if let instant = shadow.evidenceAt { json.member("counted_by_upstream_at", string: instant.rfc3339) }
        let outlook = QuotaOutlook(shadow, plan)
        if let forecast = outlook.forecast { json.member("forecast", integer: Int(clamping: forecast)) }
        if let pace = outlook.pace {
            json.member("pace_seconds", integer: Int(clamping: pace.components.seconds))
        }
        json.member("target", verbatim: UnitText.text(permille: Int(plan.targetPermille)))
        // Each doubles the interval of everything.
        json.member("slow_down", integer: Int(clamping: shadow.slowLevel))
        json.name("marks")
        json.beginArray()
        for mark in outlook.reached { json.integer(Int(clamping: mark)) }
        json.endArray()
        json.endObject()
    }

    /// Adds `cooldowns` and `refused`: pauses of upstream calls, with their ends.
    static func addCooldowns(
        to json: inout JSONText, _ status: RefreshStatus, wall: UnixMilliseconds
    ) {
        json.name("cooldowns")
        json.beginArray()
        for cooldown in status.shadow?.cooldowns ?? [] {
            let rest = cooldown.rest - (status.shadowAge ?? .zero)
            json.beginObject()
            json.member("scope", string: cooldown.scope.rawValue)
            json.member("reason", string: cooldown.reason)
            json.member("strikes", integer: Int(clamping: cooldown.strikes))
            json.member("running", boolean: rest > .zero)
            json.member("until", string: (wall + rest).rfc3339)
            json.endObject()
        }
        json.endArray()
        json.name("refused")
        json.beginArray()
        for refusal in status.shadow?.refusals ?? [] where refusal.key == status.key {
            let rest = refusal.rest - (status.shadowAge ?? .zero)
            json.beginObject()
            json.member("kind", string: refusal.kind)
            json.member("strikes", integer: Int(clamping: refusal.strikes))
            json.member("running", boolean: rest > .zero)
            json.member("until", string: (wall + rest).rfc3339)
            json.endObject()
        }
        json.endArray()
    }
}
