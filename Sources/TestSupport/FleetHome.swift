/// Where the state that a fleet shares is kept.
package enum FleetHome: Sendable {
    /// On a redis-server that starts and ends with the fleet.
    case own
    /// On the master of these, who started and will end them; the same goes for the cluster.
    case sentinels(RedisSentinelTrio)
    case cluster(RedisClusterTrio)
}
