import CacheLayer

/// Events as bytes of `text/event-stream` (WHATWG HTML, section 9.2.6).
enum EventText {
    /// A comment: says that the stream is alive, and is no event.
    static let heartbeat = Array(":\n\n".utf8)

    /// An event with its name, its id if it has one, and its data, which is JSON.
    static func event(
        _ name: String, id: SnapshotID? = nil, retry milliseconds: Int? = nil, data json: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count + 96)
        bytes += Array("event: \(name)\n".utf8)
        if let id { bytes += Array("id: \(id.text)\n".utf8) }
        if let milliseconds { bytes += Array("retry: \(milliseconds)\n".utf8) }
        bytes += Array("data: ".utf8)
        // A line's end would end the data; in JSON it can only stand where a blank may.
        bytes += json.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
        bytes += Array("\n\n".utf8)
        return bytes
    }

    /// How long to wait before coming back; without an event.
    static func retry(_ milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

    /// A snapshot: the body of `/v1/latest` with a member more.
    ///
    /// With `isGap`, events between this one and the last that the client has seen are missing.
    static func snapshot(
        _ body: [UInt8], of resource: Resource, _ id: SnapshotID, isGap: Bool
    ) -> [UInt8] {
        var json = JSONText(reserving: 64)
        json.beginObject()
        json.member("resource", string: resource.name)
        json.member("gap", boolean: isGap)
        json.endObject()
        // The last byte of a body is its closing brace.
        return event(
            StreamKind.snapshot.rawValue, id: id,
            data: body.dropLast() + Array(",\"stream\":".utf8) + json.bytes + [UInt8(ascii: "}")])
    }

    /// The pause of a resource's calls; nil if there is none any more.
    ///
    /// It has no id: what has been missed of pauses is not worth coming back for, and the client's last id stays.
    static func cooldown(_ pause: StreamPause?, of resource: Resource) -> [UInt8] {
        var json = JSONText(reserving: 128)
        json.beginObject()
        json.member("resource", string: resource.name)
        json.member("running", boolean: pause != nil)
        if let pause {
            json.member("reason", string: pause.reason.rawValue)
            json.member("until", string: pause.until.rfc3339)
        }
        json.endObject()
        return event(StreamKind.cooldown.rawValue, data: json.bytes)
    }

    /// The last event of a stream that the gateway ends.
    static func end(_ reason: StreamEnd, retry milliseconds: Int) -> [UInt8] {
        var json = JSONText(reserving: 64)
        json.beginObject()
        json.member("reason", string: reason.rawValue)
        json.endObject()
        return event("end", retry: milliseconds, data: json.bytes)
    }
}
