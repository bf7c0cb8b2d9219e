/// The names of all keys of a fleet, and nothing else makes one.
///
/// They share one hash tag, so that every script works on a cluster; fleet and upstream are part of it, so that the data of
/// another fleet or of a simulator can't be taken for ours. Bytes that would end the tag, or make two names look alike,
/// are written as `%` and two digits.
package struct RedisKeys: Hashable, Sendable {
    /// `{fxgw:<fleet>:<host:port>}:`.
    package let prefix: String

    /// `upstream` is its host and port.
    package init(fleet: String, upstream: String) {
        prefix = "{fxgw:\(Self.plain(fleet, alsoAllowed: "")):\(Self.plain(upstream, alsoAllowed: ":[]"))}:"
    }

    package var control: String { prefix + "control:2" }
    /// The control of version 0.1.0, and the members that it notes.
    var legacyControl: String { prefix + "control" }
    var legacyInstances: String { prefix + "instances" }
    package var cooldown: String { prefix + "cooldown" }
    /// The instances of the fleet, and the limits that they have configured.
    package var members: String { prefix + "members" }
    package var limits: String { prefix + "limits" }
    /// The channel, not a key.
    package var events: String { prefix + "events" }

    package func snapshot(of resource: Resource) -> String { prefix + "snap:" + resource.name }
    package func archive(of id: SnapshotID) -> String { prefix + "archive:" + id.text }
    /// The order in which archived snapshots go.
    package var archiveOrder: String { prefix + "archive-order" }
    /// How many bytes they have.
    package var archiveBytes: String { prefix + "archive-bytes" }
    /// From when on each archived snapshot of a resource was the newest.
    package func archiveTimes(of resource: Resource) -> String { prefix + "archive-times:" + resource.name }
    package func ledger(of month: Month) -> String { prefix + "ledger:" + month.description }

    private static func plain(_ text: String, alsoAllowed: String) -> String {
        let allowed = Set("-._".utf8).union(alsoAllowed.utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if isLetter || isDigit || allowed.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
