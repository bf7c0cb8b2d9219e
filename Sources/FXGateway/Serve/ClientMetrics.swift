import CacheLayer
import Telemetry

/// What `/metrics` says of the clients and of the calls made for them.
///
/// Labels are names of the clients file or, without one, of the first few hundred clients that gave one.
enum ClientMetrics {
    static func add(_ gateway: Gateway, to text: inout PrometheusText) {
        let tally = gateway.attribution.tally
        let clients = gateway.secrets.clients
        let rows = ClientReport(
            gateway.names.all, clients: clients, counters: gateway.applications.map(\.clientCounters),
            tally: tally
        ).rows
        text.add(
            "fxgateway_clients", .gauge,
            help: "Clients in the clients file; 0 without one: everybody may ask.",
            value: clients?.clients.count ?? 0)
        text.add(
            "fxgateway_client_requests_total", .counter,
            help: "Requests of each client, those over its allowance among them.",
            samples: rows.map { (labels($0), String($0.requests)) })
        text.add(
            "fxgateway_client_limited_total", .counter, help: "Requests over the client's allowance.",
            samples: rows.map { (labels($0), String($0.limited)) })
        text.add(
            "fxgateway_client_calls_total", .counter,
            help: "Calls to upstream made for each client, shared ones in parts; their sum is all calls.",
            samples: rows.map { (labels($0), CallTally.text($0.share)) })
        text.add(
            "fxgateway_calls_total", .counter, help: "Calls to upstream by their class in the ledger.",
            samples: tally.classes.sorted { $0.key < $1.key }.map { (["class": $0.key], String($0.value)) })
    }

    private static func labels(_ row: ClientReport.Row) -> KeyValuePairs<String, String> {
        ["client": row.name, "verified": row.isVerified ? "true" : "false"]
    }
}
