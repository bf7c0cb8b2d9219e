import Synchronization

/// The counters of one loop.
///
/// Written by its thread alone, so that no update needs a locked instruction; read by any.
final class LoopCounters: Sendable {
    private let accepted = Atomic(0)
    private let closed = Atomic(0)
    private let refused = Atomic(0)
    private let parked = Atomic(0)
    private let streaming = Atomic(0)
    private let requests = Atomic(0)
    private let faults: [Counter] = HTTPFault.allCases.map { _ in Counter() }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    func countRequest() { Self.add(1, to: requests) }
    func countAccepted() { Self.add(1, to: accepted) }
    func countClosed() { Self.add(1, to: closed) }
    func countRefused() { Self.add(1, to: refused) }
    func countParked(_ change: Int) { Self.add(change, to: parked) }
    func countStreaming(_ change: Int) { Self.add(change, to: streaming) }
    func count(_ fault: HTTPFault) { Self.add(1, to: faults[fault.rawValue].value) }

    var parkedNow: Int { parked.load(ordering: .relaxed) }

    func add(to counts: inout HTTPServerCounts) {
        let accepted = accepted.load(ordering: .relaxed)
        counts.accepted += accepted
        counts.open += accepted - closed.load(ordering: .relaxed)
        counts.refused += refused.load(ordering: .relaxed)
        counts.parked += parked.load(ordering: .relaxed)
        counts.streaming += streaming.load(ordering: .relaxed)
        counts.requests += requests.load(ordering: .relaxed)
        for (index, counter) in faults.enumerated() {
            counts.faults[index] += counter.value.load(ordering: .relaxed)
        }
    }

    @inline(__always)
    private static func add(_ change: Int, to counter: borrowing Atomic<Int>) {
        counter.store(counter.load(ordering: .relaxed) &+ change, ordering: .relaxed)
    }
}
