/// Where a node of a cluster sends a command: the rest of a `MOVED` or `ASK` error.
struct RedisRedirect: Hashable {
    let slot: Int
    /// Empty host: the one that was asked.
    let node: RedisEndpoint.Node

    /// Reads `<slot> <host>:<port>`; an IPv6 host has no brackets there.
    init?(parsing text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let slot = Int(parts[0]), (0..<RedisSlot.count).contains(slot),
            let colon = parts[1].lastIndex(of: ":"),
            let port = Int(parts[1][parts[1].index(after: colon)...]), (1...65_535).contains(port)
        else { return nil }
        let host = parts[1][..<colon]
        guard host.utf8.count <= 253 else { return nil }
        self.slot = slot
        node = RedisEndpoint.Node(host: host == "?" ? "" : String(host), port: port)
    }
}
