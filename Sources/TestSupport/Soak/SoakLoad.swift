import EventLoop
import Foundation
import Glibc

/// A mix of requests to one gateway, one every few ms, on a connection that is kept and a thread of its own.
///
/// Nothing is remembered beyond the stretch that is looked at. Safe from any thread; ends with `stop`.
final class SoakLoad: Sendable {
    private struct Kind {
        let request: String
        let status: Int
    }

    private struct State {
        var latencies: [Duration] = []
        var wrong = 0
        var isStopped = false
        var hasEnded = false
    }

    private let state = Locked(State())
    private let port: UInt16

    init(_ gateway: GatewayProcess) {
        port = gateway.port
        Thread.detachNewThread { self.run() }
    }

    /// What was seen since this was last asked.
    func take() -> (latencies: [Duration], wrong: Int) {
        state.withLock { state in
            defer { (state.latencies, state.wrong) = ([], 0) }
            return (state.latencies, state.wrong)
        }
    }

    func stop() async {
        state.withLock { $0.isStopped = true }
        _ = await eventually(within: .seconds(10)) { state.withLock { $0.hasEnded } }
    }

    /// Hits, pairs, conversions, derived bases, selections that hardly ever come twice, and errors of clients.
    private static func kind(_ number: Int) -> Kind {
        let codes = ["USD", "GBP", "CHF", "SEK", "JPY", "PLN", "CZK", "NOK", "DKK", "HUF"]
        let (one, other) = (codes[number / 8 % 10], codes[(number / 80 + 3) % 10])
        return switch number % 8 {
        case 0, 1, 2: Kind(request: GatewayProcess.request("GET", "/v1/latest/EUR?symbols=USD"), status: 200)
        case 3: Kind(request: GatewayProcess.request("GET", "/v1/latest/EUR"), status: 200)
        case 4:
            Kind(request: GatewayProcess.request("GET", "/v1/convert/EUR/\(one)/\(number).25"), status: 200)
        case 5:
            Kind(
                request: GatewayProcess.request("GET", "/v1/latest/\(one)?symbols=\(other),EUR"), status: 200)
        case 6: Kind(request: GatewayProcess.request("GET", "/v1/rate/EUR-\(one)"), status: 200)
        default: Kind(request: GatewayProcess.request("GET", "/v1/nothing-\(number)"), status: 404)
        }
    }

    private func run() {
        var client: RawHTTPClient?
        var number = 0
        while !state.withLock({ $0.isStopped }) {
            let kind = Self.kind(number)
            number += 1
            if client == nil { client = try? RawHTTPClient(port: port) }
            let sent = ContinuousClock.now
            let answer = try? client?.exchange(kind.request, within: .seconds(2))
            let latency = ContinuousClock.now - sent
            if answer == nil { client = nil }
            state.withLock { state in
                if answer != nil { state.latencies.append(latency) }
                if answer?.status != kind.status { state.wrong += 1 }
            }
            usleep(5_000)
        }
        state.withLock { $0.hasEnded = true }
    }
}
