import CacheLayer
import Telemetry

/// What `/metrics` says of each source of each table that is held: how long it is fresh, how often it is fetched.
///
/// By `SourceReport`, as `/v1/sources` shows them.
enum SourceMetrics {
    static func add(
        of status: RefreshStatus, policy: TierPolicy, now: ContinuousClock.Instant,
        to text: inout PrometheusText
    ) {
        let reports = status.resources.compactMap(\.view.adopted).flatMap { adopted in
            SourceReport.all(in: adopted.snapshot, age: adopted.age(at: now), policy: policy)
        }
        text.add(
            "fxgateway_source_fresh_until_timestamp_seconds", .gauge,
            help:
                "End of the lifetime of a source's newest rates; past while they are stale, late or stalled.",
            samples: reports.map { (labels($0), $0.freshUntil.secondsText) })
        text.add(
            "fxgateway_source_stale_symbols", .gauge, help: "Symbols of a source that aren't fresh.",
            samples: reports.map { (labels($0), String($0.staleSymbols.count)) })
        text.add(
            "fxgateway_source_interval_seconds", .gauge,
            help: "The least time between two fetches of a source; no sample where a calendar says when.",
            samples: reports.compactMap { report in
                report.interval.map { (labels(report), $0.secondsText) }
            })
    }

    /// Which latest tables are asked for: what nobody asks for isn't refreshed, and may grow old.
    static func addDemand(of status: RefreshStatus, to text: inout PrometheusText) {
        text.add(
            "fxgateway_resource_in_demand", .gauge,
            help: "1 if a latest table has been asked for of late, so that it is kept fresh.",
            samples: status.outlooks.sorted { $0.key.name < $1.key.name }.map { resource, outlook in
                (["resource": resource.name], outlook.asking.cause == .unwanted ? "0" : "1")
            })
    }

    private static func labels(_ report: SourceReport) -> KeyValuePairs<String, String> {
        ["resource": report.resource.name, "source": report.source.name]
    }
}
