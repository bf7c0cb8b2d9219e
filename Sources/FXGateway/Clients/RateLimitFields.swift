import HTTPEngine

/// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): a client's own allowance, never upstream's.
enum RateLimitFields {
    static func add(_ balance: Caller.Balance, to writer: ResponseWriter) {
        writer.raw("RateLimit-Policy: \"client\";q=")
        writer.raw(decimal: balance.perMinute)
        writer.raw(";w=60\r\nRateLimit: \"client\";r=")
        writer.raw(decimal: balance.left)
        writer.raw(";t=")
        writer.raw(decimal: balance.more)
        writer.raw("\r\n")
    }
}
