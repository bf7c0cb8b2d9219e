/// What a server has done so far, and holds now.
package struct HTTPServerCounts: Sendable, Equatable {
    /// Connections taken since the start, refused ones not among them.
    package var accepted = 0
    /// Connections answered 503 or closed at once because there were too many.
    package var refused = 0
    /// Connections that are open now.
    package var open = 0
    /// Requests that are parked now.
    package var parked = 0
    /// Streams that are running now.
    package var streaming = 0
    /// Requests given to the application since the start.
    package var requests = 0
    /// Faults since the start, by `HTTPFault.rawValue`.
    package var faults = [Int](repeating: 0, count: HTTPFault.allCases.count)

    /// Faults of one kind since the start.
    package func faults(_ fault: HTTPFault) -> Int { faults[fault.rawValue] }
}
