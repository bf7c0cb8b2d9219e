import Telemetry

/// How often each client has asked one loop, and how often it was over its allowance.
///
/// Counted by the loop's thread, read from any; by the clients' numbers, so no input makes it grow.
final class ClientCounters: Sendable {
    private let requests = (0..<ClientNames.count).map { _ in Counter() }
    private let limited = (0..<ClientNames.count).map { _ in Counter() }

    func countRequest(of number: Int) { requests[number].add() }
    func countLimited(of number: Int) { limited[number].add() }

    func requests(of number: Int) -> Int { requests[number].value }
    func limited(of number: Int) -> Int { limited[number].value }
}
