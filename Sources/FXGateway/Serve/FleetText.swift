import CacheLayer
import HTTPEngine

/// What the status page says of this instance, of the others and of who fetches.
enum FleetText {
    /// Adds `instance`, `instances`, `token`, `leases`, `requests`, `bases`, `simulated`.
    static func add(
        to json: inout JSONText, _ gateway: Gateway, _ status: RefreshStatus, wall: UnixMilliseconds
    ) {
        let name = Gateway.instanceName()
        let counts = gateway.server.counts
        json.name("instance")
        json.beginObject()
        json.member("name", string: name)
        json.member("started_at", string: gateway.startedAt.rfc3339)
        json.member("loops", integer: gateway.applications.count)
        json.member("connections", integer: counts.open)
        json.member("streams", integer: counts.streaming)
        json.endObject()
        addInstances(to: &json, status, ownName: name)
        if let shadow = status.shadow {
            json.member("token", integer: Int(clamping: shadow.epoch.value))
            addLeases(to: &json, shadow, age: status.shadowAge ?? .zero, wall: wall)
        }
        json.name("requests")
        json.beginObject()
        for (state, count) in RequestCounters.byState(gateway.applications.map(\.counters)) {
            json.name(state.name)
            json.integer(count)
        }
        json.endObject()
        json.name("bases")
        json.beginArray()
        for base in gateway.configuration.bases { json.string(base.code) }
        json.endArray()
        json.member("simulated", boolean: isSimulated(status))
    }

    /// Whether rates that are held come from the simulator, by its own word.
    static func isSimulated(_ status: RefreshStatus) -> Bool {
        status.resources.contains { _, view in
            view.adopted?.snapshot.table.notice?.contains("SIMULATED by FX Gateway") ?? false
        }
    }

    /// Adds `instances`: those that the store told of last, and this one as seen now, whatever the store knows of it.
    static func addInstances(
        to json: inout JSONText, _ status: RefreshStatus, ownName: String
    ) {
        json.name("instances")
        json.beginArray()
        let own = Shadow.Member(name: ownName, idle: .zero)
        let others = status.members.filter { $0.name != ownName }
        for member in (others + [own]).sorted(by: { $0.name < $1.name }) {
            json.beginObject()
            json.member("name", string: member.name)
            json.member("seen_ms_ago", integer: Int(clamping: member.idle.milliseconds))
            json.member("is_this_instance", boolean: member.name == ownName)
            json.endObject()
        }
        json.endArray()
    }

    private static func addLeases(
        to json: inout JSONText, _ shadow: Shadow, age: Duration, wall: UnixMilliseconds
    ) {
        json.name("leases")
        json.beginArray()
        for flight in shadow.flights where !flight.isSettled && flight.rest > age {
            json.beginObject()
            json.member("resource", string: flight.resource.name)
            json.member("holder", string: flight.holder)
            json.member("token", integer: Int(clamping: flight.token.value))
            json.member("until", string: (wall + (flight.rest - age)).rfc3339)
            json.endObject()
        }
        json.endArray()
    }
}
