import CacheLayer

extension Duration {
    /// The length in seconds with three decimals, rounded toward zero to milliseconds; negative ones with a sign.
    var secondsText: String {
        let magnitude = milliseconds.magnitude
        let fraction = String(1_000 + magnitude % 1_000).dropFirst()
        return "\(milliseconds < 0 ? "-" : "")\(magnitude / 1_000).\(fraction)"
    }
}

extension UnixMilliseconds {
    /// The Unix time in seconds with three decimals.
    var secondsText: String { Duration.milliseconds(value).secondsText }
}
