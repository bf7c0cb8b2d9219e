import EventLoop

/// The clients that this process has met, each with a number: what they are counted by.
///
/// Numbers are given once and never again, so a new clients file moves nobody's counts. Bounded: whoever comes when all
/// numbers are given counts as `(other)`. Safe from any thread.
final class ClientNames: Sendable {
    /// Calls that no client has caused.
    static let none = 0
    /// Clients that gave no name, or none that is taken.
    static let unnamed = 1
    /// Clients that came after all numbers were given.
    static let other = 2
    /// Names that aren't ours.
    static let limit = 256
    /// All numbers are below this.
    static let count = limit + 3

    private let known: Locked<(names: [String], numbers: [String: Int])>

    init() {
        known = Locked((["(none)", "(unnamed)", "(other)"], [:]))
    }

    /// The number of a name that `ClientName` takes.
    func number(of name: String) -> Int {
        known.withLock { known in
            if let number = known.numbers[name] { return number }
            guard known.names.count < Self.count else { return Self.other }
            let number = known.names.count
            known.names.append(name)
            known.numbers[name] = number
            return number
        }
    }

    /// The names by number: ours first, the others as they came.
    var all: [String] { known.withLock { $0.names } }

    /// The name of a number that was given.
    func name(of number: Int) -> String { known.withLock { $0.names[number] } }
}
