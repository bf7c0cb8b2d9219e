import CacheLayer
import Telemetry

/// What `/metrics` says of rates that are held back and of publications that have not come.
enum TruthMetrics {
    static func add(_ gateway: Gateway, to text: inout PrometheusText) {
        let counters = gateway.upstreamCounters.quarantine
        text.add(
            "fxgateway_quarantine_total", .counter,
            help: "Symbols whose rates jumped beyond the band, by what became of them at this instance.",
            samples: counters.values.map { (["outcome": $0.label.rawValue], String($0.count)) }
                + [(["outcome": "by_operator"], String(gateway.refresher.counters.acceptedByOperator.value))])
        text.add(
            "fxgateway_symbols_reclassified_total", .counter,
            help: "Symbols that came under another class than the one held.",
            value: gateway.upstreamCounters.classChanges.value)
        text.add(
            "fxgateway_unknown_source_answers_total", .counter,
            help: "Accepted answers with a class of rates that this version doesn't know.",
            value: gateway.upstreamCounters.unknownSources.value)
        let status = gateway.refresher.board.status
        let held = status.resources.compactMap { resource, view in
            view.adopted.map { (resource, $0.snapshot.table.quarantined.count) }
        }
        text.add(
            "fxgateway_quarantine_symbols", .gauge,
            help: "Symbols of what is held of which a newer rate is held back.",
            samples: held.map { (["resource": $0.name], String($1)) })
        text.add(
            "fxgateway_publications_missed_total", .counter,
            help: "Daily publications that an answer fetched after their time and grace still lacked.",
            samples: status.missedPublications.sorted { $0.key.name < $1.key.name }.map {
                (["resource": $0.key.name], String($0.value))
            })
    }
}
