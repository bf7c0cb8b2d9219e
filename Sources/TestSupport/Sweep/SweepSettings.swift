/// One point of a sweep: so many instances and clients, and what holds for all points.
package struct SweepSettings: Sendable {
    package var instances: Int
    /// Each asks once a second, each time at any instance.
    package var clients: Int
    /// How long rates live, for whoever caches them.
    package var lifetime = Duration.seconds(60)
    /// What upstream takes for an answer.
    package var latency = Duration.milliseconds(300)
    /// What is counted; a lifetime before it, in which all caches fill, is not.
    package var length = Duration.seconds(600)
    package var seed: UInt64 = 1

    package init(instances: Int, clients: Int) {
        precondition(instances > 0 && clients > 0, "a point needs an instance and a client")
        self.instances = instances
        self.clients = clients
    }
}

extension SweepSettings {
    /// How fine time is: clients ask at one of ten instants of a second.
    static let tick = Duration.milliseconds(100)
    static let ticksPerSecond = 10

    var ticks: Int { Int(length / Self.tick) }
    var warmUp: Int { Int(lifetime / Self.tick) }
}
