import CacheLayer
import Telemetry

/// The body of `/v1/events`: what this instance has logged last of its part in the fleet.
///
/// Nothing secret.
enum EventsPage {
    static func body(of ring: EventRing, instance: String, wall: UnixMilliseconds) -> [UInt8] {
        var json = JSONText(reserving: 8_192)
        json.beginObject()
        json.member("result", string: "success")
        json.member("time", string: wall.rfc3339)
        json.member("instance", string: instance)
        json.name("events")
        json.beginArray()
        for event in ring.newest {
            json.beginObject()
            json.member("number", integer: event.number)
            json.member("at", string: event.at.rfc3339)
            json.member("level", string: event.level.name)
            json.member("event", string: event.message)
            json.name("fields")
            json.beginObject()
            for (key, value) in event.fields {
                json.name(key.rawValue)
                json.string(value)
            }
            json.endObject()
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
