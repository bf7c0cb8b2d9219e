/// Why a random run could not be played.
package enum ChaosProblem: Error, CustomStringConvertible {
    /// The fleet has no rates though nothing was done to it yet.
    case notWarm(String)
    /// The library for clocks that are off can't be compiled.
    case noClock(String)

    package var description: String {
        switch self {
        case .notWarm(let report): "the fleet has no rates before the first fault:\n\(report)"
        case .noClock(let text): "clang doesn't compile the library for clocks that are off: \(text)"
        }
    }
}
