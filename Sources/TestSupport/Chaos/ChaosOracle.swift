import EventLoop
import UpstreamSimulator

/// Knows the rate that a simulated upstream had written at any data time: another simulator with the same settings, whose clock is put there.
///
/// For one thread at a time.
struct ChaosOracle {
    private let clock = Locked<Int64>(0)
    private let upstream: InProcessUpstream

    init(_ configuration: SimulatorConfiguration) {
        upstream = InProcessUpstream(configuration: configuration) { [clock] in clock.withLock { $0 } }
    }

    /// The digits of EUR/USD; nil for what is no time.
    func digits(at dataTime: String) -> String? {
        guard let instant = RateReading.instant(dataTime) else { return nil }
        clock.withLock { $0 = instant }
        let answer = upstream.get("/v1/latest/EUR?symbols=USD", key: ChaosRig.key)
        defer { upstream.end(answer) }
        let text = String(decoding: answer.body, as: UTF8.self)
        return RateReading.digits(of: "USD", in: text)
    }
}
