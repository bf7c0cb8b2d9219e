/// Whether traffic should come here, as a load balancer asks.
struct Readiness: Hashable, Sendable {
    /// The first attempt to load has ended, or enough time has passed; never false again but for draining.
    var isReady: Bool
    var isDraining: Bool
    /// What doesn't work as it should, one word each, such as `store_down`; no reason not to be ready.
    var degraded: [String]

    /// Whether it is answered 200.
    var takesTraffic: Bool { isReady && !isDraining }

    /// The body of `/readyz`.
    var body: [UInt8] {
        var json = JSONText()
        json.beginObject()
        json.member("ready", boolean: takesTraffic)
        json.member("draining", boolean: isDraining)
        json.name("degraded")
        json.beginArray()
        for word in degraded { json.string(word) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
