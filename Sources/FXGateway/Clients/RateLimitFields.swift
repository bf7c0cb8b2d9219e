/// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): a client's own allowance, never upstream's.
enum RateLimitFields {
    /// Appends both lines; no allocation while there is room.
    static func add(_ balance: Caller.Balance, to lines: inout [UInt8]) {
        lines.append(contentsOf: "RateLimit-Policy: \"client\";q=".utf8)
        lines.add(decimal: Int64(balance.perMinute))
        lines.append(contentsOf: ";w=60\r\nRateLimit: \"client\";r=".utf8)
        lines.add(decimal: Int64(balance.left))
        lines.append(contentsOf: ";t=".utf8)
        lines.add(decimal: Int64(balance.more))
        lines.append(contentsOf: "\r\n".utf8)
    }
}
