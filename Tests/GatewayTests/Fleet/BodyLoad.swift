import EventLoop
import Foundation
import TestSupport

/// A stream of one request to several gateways whose answers must each be the one that was asked for.
///
/// Safe from any thread; ends with `stop`.
final class BodyLoad: Sendable {
    struct Outcome: Sendable {
        var answers = 0
        /// What isn't a whole answer to the request: its beginning.
        var strange: [String] = []
        fileprivate var isStopped = false
        fileprivate var hasEnded = false
    }

    private let state = Locked(Outcome())

    init(_ ports: [UInt16], target: String) {
        let request = GatewayProcess.request("GET", target)
        let members =
            target.contains("rate")
            ? ["pair", "rate"] : target.contains("convert") ? ["from", "to"] : ["base", "rates"]
        Thread.detachNewThread { [state] in
            var clients = ports.map { try? RawHTTPClient(port: $0) }
            while !state.withLock({ $0.isStopped }) {
                for index in clients.indices {
                    let answer = try? clients[index]?.exchange(request, within: .seconds(20))
                    let body = answer.flatMap {
                        try? JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any]
                    }
                    let isGood =
                        answer?.status == 200 && members.allSatisfy { body?[$0] != nil }
                        && body?["result"] as? String == "success"
                    state.withLock { outcome in
                        outcome.answers += 1
                        if !isGood { outcome.strange.append(String((answer?.text ?? "none").prefix(300))) }
                    }
                    if answer == nil { clients[index] = try? RawHTTPClient(port: ports[index]) }
                }
                usleep(2_000)
            }
            state.withLock { $0.hasEnded = true }
        }
    }

    /// Ends it and tells what came.
    func stop() async -> Outcome {
        state.withLock { $0.isStopped = true }
        _ = await eventually(within: .seconds(30)) { state.withLock { $0.hasEnded } }
        return state.withLock { $0 }
    }
}
