/// Where the simulator's now comes from: a moving or frozen time that can be set and advanced.
struct SimulatedClock: Sendable {
    private var anchor: SimulatedTime
    /// Reading of the real clock at which `anchor` was true; milliseconds.
    private var anchorReading: Int64
    let isFrozen: Bool

    /// - Parameters:
    ///   - start: the simulated now at `reading`; the reading itself if nil.
    ///   - reading: the real clock, milliseconds since 1970.
    ///   - isFrozen: whether time only moves by `set` and `advance`.
    init(start: SimulatedTime?, reading: Int64, isFrozen: Bool) {
        anchor = start ?? SimulatedTime(milliseconds: reading)
        anchorReading = reading
        self.isFrozen = isFrozen
    }

    func now(reading: Int64) -> SimulatedTime {
        guard !isFrozen else { return anchor }
        return SimulatedTime(milliseconds: anchor.milliseconds + reading - anchorReading)
    }

    /// Makes `time` the now; it runs on from there unless frozen.
    mutating func set(_ time: SimulatedTime, reading: Int64) {
        anchor = time
        anchorReading = reading
    }

    /// Moves the now by `milliseconds`, which may be negative.
    mutating func advance(by milliseconds: Int64, reading: Int64) {
        let (sum, isOver) = now(reading: reading).milliseconds.addingReportingOverflow(milliseconds)
        guard !isOver else { return }
        set(SimulatedTime(milliseconds: sum), reading: reading)
    }
}
