extension ControlRecord {
    /// What every answer tells of it.
    func shadow(
        at now: Int64, plan: PlanNumbers, resource: Resource?, instances: Int64? = nil,
        members: [Shadow.Member] = []
    ) -> Shadow {
        let records = CooldownScope.allCases.compactMap { scope in
            cooldowns[scope].map { record in
                Shadow.Cooldown(
                    scope: scope, rest: .milliseconds(max(0, record.end - now)), strikes: record.strikes,
                    reason: record.reason, keys: record.keys)
            }
        }
        let refused = refusals.map {
            Shadow.Refusal(
                kind: $0.kind, key: $0.key, rest: .milliseconds(max(0, $0.end - now)), strikes: $0.strikes)
        }
        let limit = limit(plan)
        return Shadow(
            now: UnixMilliseconds(now), birth: birth, version: version, epoch: FencingToken(epoch),
            month: ledger.month.description, counted: ledger.counted, assumed: ledger.assumed(under: limit),
            assumedReason: ledger.assumption?.reason.rawValue, external: ledger.external,
            evidenceAt: ledger.evidenceAt.map { UnixMilliseconds($0) }, reserved: reserved, plan: limit,
            cooldowns: records, nextAt: resource.flatMap { paces[$0] }.map { UnixMilliseconds($0.nextAt) },
            instances: instances, purged: FencingToken(purged), refusals: refused,
            slowLevel: slowDown?.level(at: now) ?? 0,
            flights: flights.filter { $0.isLive(at: now) }.map { $0.told(at: now) }, members: members)
    }
}
