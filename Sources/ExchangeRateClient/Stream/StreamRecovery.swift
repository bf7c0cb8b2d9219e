/// When a stream comes back, and when it is over.
///
/// No clock, lock or I/O.
struct StreamRecovery {
    enum Next: Equatable {
        case comeBack(after: Duration)
        case stop(ExchangeRateError)
    }

    /// What a last event `end` of the gateway says.
    enum Farewell: String {
        case draining, revoked, unsupported
    }

    /// Waits double up to this, whatever the server's `retry`.
    static let longestWait = Duration.seconds(60)
    /// A server that asks for more wants the stream gone.
    static let longestTold = Duration.seconds(3_600)

    /// What the server gave as `retry`; 3 s until it does, as browsers have it.
    private(set) var serverWait = Duration.seconds(3)
    private var failures = 0

    /// Takes the server's word for how long to stay away, 100 ms to a minute.
    mutating func adopt(retry: Duration) {
        serverWait = min(max(retry, .milliseconds(100)), Self.longestWait)
    }

    /// Notes an event: the connection is a good one.
    mutating func succeed() { failures = 0 }

    /// What follows the end of a connection.
    mutating func next(after error: ExchangeRateError, chance: (Duration) -> Duration) -> Next {
        let told: Duration?
        switch error {
        case .unavailable(let wait, _), .rateLimited(let wait): told = wait
        // App Transport Security of Apple's systems forbids plain http: NSURLErrorAppTransportSecurityRequiresSecureConnection.
        case .failed(code: -1_022): return .stop(error)
        case .refused, .dns, .connectionLost, .timedOut, .failed, .tokenUnavailable: told = nil
        // Cut by a balancer that restarts, say. A certificate that is bad now is so at the next try.
        case .tls(.handshake): told = nil
        case .status(let status, _) where status >= 500: told = nil
        default: return .stop(error)
        }
        if let told, told > Self.longestTold { return .stop(error) }
        let grown = min(serverWait * (1 << min(failures, 10)), Self.longestWait)
        failures += 1
        let wait = max(grown, told ?? .zero)
        // Never earlier than told, and spread: thousands lose the same server at once.
        return .comeBack(after: wait + chance(wait / 2))
    }

    /// What follows the gateway's own word of farewell.
    mutating func next(after farewell: Farewell?, chance: (Duration) -> Duration) -> Next {
        switch farewell {
        case .revoked: .stop(.forbidden)
        case .unsupported: .stop(.status(422, code: nil))
        // The gateway has spread the waits itself; an unknown word is taken for the same.
        case .draining, nil: .comeBack(after: serverWait + chance(serverWait / 4))
        }
    }
}
