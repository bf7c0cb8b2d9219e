/// The clients of a sweep: how many requests each instance gets at each instant.
///
/// A value; the same seed gives the same requests, whatever they are sent to.
struct SweepCrowd: Sendable {
    private let settings: SweepSettings
    private var numbers: SeededNumbers

    init(_ settings: SweepSettings) {
        self.settings = settings
        numbers = SeededNumbers(seed: settings.seed)
    }

    /// The requests of an instant by instance; `tick` counts instants from zero, every client has its own in a second.
    mutating func requests(at tick: Int) -> [Int] {
        let place = tick % SweepSettings.ticksPerSecond
        var requests = Array(repeating: 0, count: settings.instances)
        for _ in stride(from: place, to: settings.clients, by: SweepSettings.ticksPerSecond) {
            requests[Int.random(in: 0..<settings.instances, using: &numbers)] += 1
        }
        return requests
    }
}
