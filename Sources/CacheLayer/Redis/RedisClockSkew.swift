/// How far the server's clock is from ours, and when that is worth a word.
///
/// No clock of its own. Only for people: every decision rests on one clock alone.
struct RedisClockSkew {
    enum Word: Hashable {
        case nothing
        /// It is beyond what is tolerated, for the first time or by much more or less than last said.
        case warning
        /// It was said to be, and is no longer.
        case settled
    }

    /// What network and schedulers may make of two good clocks.
    static let tolerated = Duration.seconds(2)

    /// Positive where the server is ahead; nil until measured.
    private(set) var value: Duration?
    private var said: Duration?

    /// Notes the server's time as told by a reply that has just come, so long after its command was sent.
    ///
    /// The server may have read its clock at any moment of the round trip, so half of it is added and the result is
    /// uncertain by as much.
    mutating func note(
        server: UnixMilliseconds, wall: UnixMilliseconds, roundTrip: Duration
    ) -> Word {
        let half = max(.zero, roundTrip) / 2
        let skew = .milliseconds(server.value - wall.value) + half
        value = skew
        guard Self.size(skew) - half > Self.tolerated else {
            guard said != nil, Self.size(skew) + half < Self.tolerated else { return .nothing }
            said = nil
            return .settled
        }
        if let said, Self.size(skew - said) <= max(Self.tolerated, Self.size(said) / 2) { return .nothing }
        said = skew
        return .warning
    }

    private static func size(_ duration: Duration) -> Duration {
        duration < .zero ? .zero - duration : duration
    }
}
