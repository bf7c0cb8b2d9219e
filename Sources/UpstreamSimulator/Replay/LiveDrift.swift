/// Moves rates around a fix the way a live feed would, as a pure function of seed, symbol and time.
///
/// Three tides of different length are added, each between random marks: about an hour, eight minutes and one step.
/// Together they stay within 0.2 % of the fix.
struct LiveDrift: Equatable, Sendable {
    let seed: UInt64
    /// Length of one step; above zero.
    let intervalMilliseconds: Int64

    /// Significant digits of a live rate.
    static let significantDigits = 6

    /// When the step that holds `time` began: the data time of all live rates in it.
    func stepStart(at time: SimulatedTime) -> SimulatedTime {
        SimulatedTime(milliseconds: step(at: time) * intervalMilliseconds)
    }

    /// The live rate of `symbol` at `time` around `fix`.
    func rate(of symbol: String, around fix: FixedDecimal, at time: SimulatedTime) -> FixedDecimal {
        let factor = UInt128(1_000_000 + partsPerMillion(of: symbol, step: step(at: time)))
        return FixedDecimal(mantissa: fix.mantissa * factor, scale: fix.scale)
            .divided(
                by: FixedDecimal(mantissa: 1_000_000, scale: 0), significantDigits: Self.significantDigits)
    }

    /// The distance from the fix, within ±2,000.
    func partsPerMillion(of symbol: String, step: Int64) -> Int {
        let key = symbol.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return tide(key, step, length: 64, height: 1_500) + tide(key, step, length: 8, height: 400)
            + tide(key, step, length: 1, height: 100)
    }

    private func step(at time: SimulatedTime) -> Int64 {
        let remainder = time.milliseconds % intervalMilliseconds
        return (time.milliseconds - remainder) / intervalMilliseconds - (remainder < 0 ? 1 : 0)
    }

    /// On the straight line between the marks before and after `step`.
    private func tide(_ key: UInt64, _ step: Int64, length: Int64, height: Int64) -> Int {
        let offset = ((step % length) + length) % length
        let mark = (step - offset) / length
        let before = self.mark(key, mark, length: length, height: height)
        let after = self.mark(key, mark + 1, length: length, height: height)
        return Int((before * (length - offset) + after * offset) / length)
    }

    private func mark(_ key: UInt64, _ number: Int64, length: Int64, height: Int64) -> Int64 {
        var bits = seed &* 0x9e37_79b9_7f4a_7c15 ^ key
        bits = Self.mixed(bits ^ UInt64(bitPattern: number) &* 0xd134_2543_de82_ef95 ^ UInt64(length))
        return Int64(bits % UInt64(2 * height + 1)) - height
    }

    /// The finalizer of SplitMix64: each input bit changes half of the output's.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}
