/// The configured time limits in ticks of a loop's deadlines.
struct Ticks {
    /// One tick.
    let length: Duration
    let head: UInt32
    let body: UInt32
    let idle: UInt32
    let write: UInt32
    let linger: UInt32
    let grace: UInt32
    private let nanoseconds: Int

    init(_ configuration: HTTPServerConfiguration) {
        let tick = max(1, configuration.tick.wholeNanoseconds)
        func ticks(_ limit: Duration) -> UInt32 {
            // Rounded up, and one more since the current tick has begun already: no limit ends early.
            UInt32(clamping: (limit.wholeNanoseconds + tick - 1) / tick + 1)
        }
        nanoseconds = tick
        length = .nanoseconds(tick)
        head = ticks(configuration.headDeadline)
        body = ticks(configuration.bodyDeadline)
        idle = ticks(configuration.idleTimeout)
        write = ticks(configuration.writeTimeout)
        linger = ticks(configuration.lingerTimeout)
        grace = ticks(configuration.drainGrace)
    }

    /// The tick of a reading of a monotonic clock.
    func tick(seconds: Int, nanoseconds rest: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (seconds * 1_000_000_000 + rest) / nanoseconds)
    }
}

extension Duration {
    /// The whole nanoseconds of a length that isn't beyond centuries.
    var wholeNanoseconds: Int {
        Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
    }
}
