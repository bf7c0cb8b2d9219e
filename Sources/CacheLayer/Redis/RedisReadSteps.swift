/// What a read asks Redis for, and what the replies say.
struct RedisReadSteps {
    let keys: RedisKeys
    let question: StoreQuestion

    var steps: [RedisStep] {
        var steps = [
            RedisStep("HGETALL", keys.control),
            RedisStep(
                "HMGET", keys.legacyControl, "month", "used", "external", "epoch", "purged", "cd:short",
                "cd:month"),
            RedisStep("EXISTS", keys.legacyInstances),
            RedisStep("ZRANGE", keys.limits, "0", "-1", "WITHSCORES"),
        ]
        for resource in question.resources {
            let key = keys.snapshot(of: resource)
            steps.append(
                RedisStep("HMGET", key, "schema", "id", "token", "fetched_at", "data_time", "source"))
            steps.append(RedisStep("HEXISTS", key, "body"))
            steps.append(RedisStep("PTTL", key))
        }
        if !question.archived.isEmpty {
            steps.append(RedisStep("GET", keys.archiveBytes))
            steps.append(
                RedisStep("ZRANGE", keys.archiveOrder, "0", String(ArchiveRoom.mostDrops - 1), "WITHSCORES"))
            for id in question.archived { steps.append(RedisStep("EXISTS", keys.archive(of: id))) }
        }
        if question.hasMembers {
            steps.append(RedisStep("ZCARD", keys.members))
            steps.append(RedisStep("ZRANGE", keys.members, "-64", "-1", "WITHSCORES"))
        }
        return steps
    }
}
