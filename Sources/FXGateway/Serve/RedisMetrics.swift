import CacheLayer
import Telemetry

/// What `/metrics` says of the links to Redis, where there is one.
enum RedisMetrics {
    static func add(_ health: RedisHealth, to text: inout PrometheusText) {
        text.add(
            "fxgateway_redis_connected", .gauge, help: "1 while there is a link to Redis.",
            value: health.isConnected ? 1 : 0)
        text.add(
            "fxgateway_redis_commands_total", .counter, help: "Commands given to Redis.",
            value: health.commands.value)
        text.add(
            "fxgateway_redis_refused_total", .counter,
            help: "Commands refused without asking Redis, as there was no link or it had just failed.",
            value: health.refused.value)
        text.add(
            "fxgateway_redis_timeouts_total", .counter, help: "Commands without a reply in time.",
            value: health.timeouts.value)
        text.add(
            "fxgateway_redis_errors_total", .counter, help: "Error replies of Redis, by their first word.",
            samples: health.errors.values.map { (["error": $0.label.rawValue], String($0.count)) })
        text.add(
            "fxgateway_redis_reconnects_total", .counter, help: "Links to Redis made after the first one.",
            value: health.reconnects.value)
        text.add(
            "fxgateway_redis_link_failures_total", .counter,
            help: "Links to Redis that ended, and tries that made none.", value: health.failures.value)
        text.add(
            "fxgateway_redis_redirects_total", .counter,
            help: "Links that ended because another server has taken over; part of the link failures.",
            value: health.redirects.value)
        text.add(
            "fxgateway_redis_detours_total", .counter,
            help: "Commands sent to the node of a cluster that the slot was moving to.",
            value: health.detours.value)
        text.add(
            "fxgateway_redis_clock_skew_seconds", .gauge,
            help: "How far Redis's clock is ahead of this instance's; no sample until measured.",
            text: health.clockSkew?.secondsText)
        text.add(
            "fxgateway_redis_may_evict_control", .gauge,
            help: "1 if Redis's maxmemory-policy may throw away ledger and cooldowns; no sample until told.",
            text: health.evictionPolicy.map { _ in health.mayEvictControl ? "1" : "0" })
    }
}
