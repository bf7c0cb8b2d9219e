/// What a simulator is started with.
package struct SimulatorConfiguration: Sendable {
    /// `address:port`; port 0 lets the kernel choose.
    package var listen = "127.0.0.1:0"
    package var mode = SimulatorMode.ecb
    /// The simulated now at the start; the real one if nil.
    package var clock: SimulatedTime?
    /// Whether simulated time only moves by hand.
    package var isFrozen = false
    /// Names one series of live rates.
    package var seed: UInt64 = 1
    package var liveInterval = Duration.seconds(60)
    package var limits = QuotaLimits.none
    /// The keys that are accepted; with none, every key that begins with `exr_live_`.
    package var keys: [String] = []
    package var shiftWeeks: Int?
    /// Waited before every answer of `/v1`.
    package var latency = Duration.zero

    /// In-process use: a free port of loopback, no limits, no latency.
    package init() {}

    var shift: ReplayShift { shiftWeeks.map(ReplayShift.weeks) ?? .automatic }
}
