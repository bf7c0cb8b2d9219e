import Foundation
import TestSupport

/// A gateway with one event loop whose requests are counted.
struct CountedGateway {
    let gateway: GatewayProcess
    /// Where the preloaded counter keeps its records.
    let counts: String

    var port: UInt16 { gateway.port }

    /// Starts one and waits until it answers from memory.
    ///
    /// `program` is the words that run it, where it isn't the one built here; `preload` the counter's library, if it is
    /// wanted; `cost` what the counter adds to each answer.
    static func start(
        name: String, program: [String] = [], preload: String?, cost: CountedCost? = nil,
        isGuarded: Bool = false, upstream: String, directory: String
    ) async throws -> CountedGateway {
        var environment = [
            "FXGW_LISTEN": "127.0.0.1:0", "FXGW_THREADS": "1", "FXGW_BASES": "EUR",
            "FXGW_UPSTREAM_URL": upstream,
        ]
        let counts = "\(directory)/\(name).counts"
        if let preload {
            environment["LD_PRELOAD"] = preload
            environment["FXCOUNT_FILE"] = counts
            environment["FXCOUNT_COST"] = cost?.rawValue
        }
        if isGuarded {
            let clients = "\(directory)/clients.json"
            let text = #"{"clients":[{"name":"count","token_sha256":"\#(CountedRequest.tokenDigest)"}]}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: clients))
            environment["FXGW_CLIENTS_FILE"] = clients
        }
        let gateway = try await GatewayProcess.start(
            name: name, program: program, environment: environment, directory: directory, within: .seconds(60)
        )
        let started = CountedGateway(gateway: gateway, counts: counts)
        let isWarm = try await eventually(within: .seconds(60), step: .milliseconds(100)) {
            try await gateway.ask(
                "GET", CountedRequest.latest, fields: ["Authorization: Bearer \(CountedRequest.token)"]
            ).status == 200
        }
        guard isWarm else { throw CountsError.wrongAnswer("\(name) has no rates: \(gateway.log)") }
        return started
    }
}
