/// The pauses between tries to reach Redis: doubling, with jitter, so that a fleet doesn't come back in step.
struct RedisBackoff {
    private let first: Duration
    private let longest: Duration
    private var pause: Duration

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = max(first, longest)
        pause = first
    }

    /// The next pause: between half and all of the present step.
    ///
    /// `fraction` is uniform in 0..<1.
    mutating func next(fraction: Double) -> Duration {
        defer { pause = min(pause * 2, longest) }
        return pause / 2 + pause / 2 * fraction
    }

    mutating func reset() { pause = first }
}
