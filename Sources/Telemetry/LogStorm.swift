/// Which events come so often that only their number is worth a line.
///
/// Of each event the first few lines of a window are written at once; the others are counted, and their number is told when
/// the window ends. So no first line is lost and no rare one waits. Pure: the caller says what time it is.
struct LogStorm: Sendable {
    /// An event: the same text at the same level, whatever its fields hold.
    private struct Event: Hashable {
        let level: LogLevel
        let message: String
    }

    private struct Window {
        let end: ContinuousClock.Instant
        var written = 0
        var suppressed = 0
    }

    /// Lines of an event that were not written in a window.
    struct Told: Equatable, Sendable {
        let level: LogLevel
        let message: String
        let count: Int
    }

    private var windows: [Event: Window] = [:]

    /// Lines of one event that are written in a window.
    static let most = 10
    static let window = Duration.seconds(60)
    /// Events that are watched at a time: the program has fewer, so this only bounds what a mistake could hold.
    static let mostEvents = 256

    /// Whether a line of this event is written now, and what has to be told before it.
    mutating func meet(
        _ level: LogLevel, _ message: String, at now: ContinuousClock.Instant
    ) -> (isWritten: Bool, told: Told?) {
        let event = Event(level: level, message: message)
        var told: Told?
        if let window = windows[event], window.end <= now {
            told = Self.told(event, window)
            windows[event] = nil
        }
        guard windows[event] != nil || windows.count < Self.mostEvents else { return (true, told) }
        var window = windows[event] ?? Window(end: now + Self.window)
        let isWritten = window.written < Self.most
        if isWritten { window.written += 1 } else { window.suppressed += 1 }
        windows[event] = window
        return (isWritten, told)
    }

    /// Forgets the windows that have ended, and gives what they have kept back.
    mutating func takeEnded(at now: ContinuousClock.Instant) -> [Told] { take { $0.end <= now } }

    /// The same of all windows: nothing comes any more.
    mutating func takeAll() -> [Told] { take { _ in true } }

    private mutating func take(_ isOver: (Window) -> Bool) -> [Told] {
        let over = windows.filter { isOver($0.value) }
        for event in over.keys { windows[event] = nil }
        return over.compactMap { Self.told($0.key, $0.value) }.sorted { $0.message < $1.message }
    }

    private static func told(_ event: Event, _ window: Window) -> Told? {
        guard window.suppressed > 0 else { return nil }
        return Told(level: event.level, message: event.message, count: window.suppressed)
    }
}
