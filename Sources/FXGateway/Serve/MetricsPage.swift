import CacheLayer
import HTTPEngine
import Telemetry

/// The body of `/metrics`: every counter of every part, read at scrape time.
enum MetricsPage {
    private typealias Samples = [(labels: KeyValuePairs<String, String>, value: String)]

    static func body(of gateway: Gateway) -> [UInt8] {
        var text = PrometheusText()
        text.add(
            "fxgateway_build_info", .gauge, help: "The version of this build; always 1.",
            samples: [(["version": GatewayVersion.text], "1")])
        ProcessMetrics.add(.current(), to: &text)
        RequestCounters.add(gateway.applications.map(\.counters), to: &text)
        add(gateway.server.counts, to: &text)
        addWays(gateway.applications.map(\.waysIgnored), to: &text)
        add(gateway.refresher.counters, to: &text)
        add(gateway.upstreamCounters, to: &text)
        add(gateway.refresher.board.status, to: &text)
        addEvidence(gateway, to: &text)
        SourceMetrics.add(
            of: gateway.refresher.board.status, policy: gateway.configuration.tierPolicy, now: .now, to: &text
        )
        SourceMetrics.addDemand(of: gateway.refresher.board.status, to: &text)
        TruthMetrics.add(gateway, to: &text)
        ArchiveMetrics.add(gateway.archive.outcomes, gateway.store.rates.archive, to: &text)
        ClientMetrics.add(gateway, to: &text)
        StreamMetrics.add(gateway.streamCounters, open: gateway.server.counts.streaming, to: &text)
        if let health = gateway.store.redis?.health { RedisMetrics.add(health, to: &text) }
        if let health = gateway.state?.keeper.health { StateFileMetrics.add(health, to: &text) }
        return text.bytes
    }

    private static func add(_ counts: HTTPServerCounts, to text: inout PrometheusText) {
        text.add(
            "fxgateway_http_connections_accepted_total", .counter, help: "Client connections taken.",
            value: counts.accepted)
        text.add(
            "fxgateway_http_connections_refused_total", .counter,
            help: "Client connections refused because there were too many.", value: counts.refused)
        text.add(
            "fxgateway_http_connections_open", .gauge, help: "Client connections open now.",
            value: counts.open)
        text.add(
            "fxgateway_http_requests_parked", .gauge, help: "Requests that wait for a snapshot now.",
            value: counts.parked)
        let faults = HTTPFault.allCases.map { fault in
            (labels: ["fault": fault.label] as KeyValuePairs, value: String(counts.faults(fault)))
        }
        text.add(
            "fxgateway_http_faults_total", .counter, help: "Requests refused on the wire, by fault.",
            samples: faults)
    }

    private static func addWays(
        _ loops: [LabelledCounter<ClientAddress.Ignored>], to text: inout PrometheusText
    ) {
        text.add(
            "fxgateway_forwarded_ignored_total", .counter,
            help:
                "Requests of the access log whose Forwarded or X-Forwarded-For was not believed, by reason.",
            samples: ClientAddress.Ignored.allCases.map { why in
                (["reason": why.rawValue], String(loops.reduce(0) { $0 + $1.value(why) }))
            })
    }

    private static func add(_ counters: RefreshCounters, to text: inout PrometheusText) {
        text.add(
            "fxgateway_upstream_requests_total", .counter,
            help: "Calls to upstream by how they ended; their sum is the number of calls of this instance.",
            samples: samples("outcome", counters.upstream))
        text.add(
            "fxgateway_lease_requests_total", .counter, help: "Answers of the store to the wish to fetch.",
            samples: samples("result", counters.begins))
        text.add(
            "fxgateway_snapshots_adopted_total", .counter,
            help: "Snapshots taken into memory, by who fetched them.",
            samples: [
                (["origin": "own"], String(counters.adoptedOwn.value)),
                (["origin": "shared"], String(counters.adoptedShared.value)),
            ])
        text.add(
            "fxgateway_lease_fenced_total", .counter,
            help: "Own answers refused because something newer was stored.", value: counters.fenced.value)
        text.add(
            "fxgateway_upstream_older_total", .counter,
            help: "Answers whose data time went back within its class.",
            value: counters.older.value)
        text.add(
            "fxgateway_snapshots_unreadable_total", .counter,
            help: "Stored snapshots that could not be read.",
            value: counters.unreadable.value)
        text.add(
            "fxgateway_store_testimonies_total", .counter,
            help: "Times this instance told the store what it remembers.", value: counters.testimonies.value)
        text.add(
            "fxgateway_offline_calls_total", .counter,
            help: "Calls to upstream made while the store was away; part of all calls.",
            value: counters.offlineCalls.value)
        text.add(
            "fxgateway_store_failures_total", .counter, help: "Requests to the store that failed.",
            value: counters.storeFailures.value)
    }

    private static func add(_ counters: UpstreamCounters, to text: inout PrometheusText) {
        text.add(
            "fxgateway_upstream_answers_refused_total", .counter,
            help: "Answers that were not let in, by reason.",
            samples: samples("reason", counters.refused))
        text.add(
            "fxgateway_upstream_symbols_missing_total", .counter,
            help: "Symbols of accepted answers without a usable rate.", value: counters.symbolsMissing.value)
    }

    /// What upstream's evidence has come to, and what the ledger says of the rest of the month.
    private static func addEvidence(_ gateway: Gateway, to text: inout PrometheusText) {
        text.add(
            "fxgateway_upstream_remaining_ignored_total", .counter,
            help: "Upstream's counts of the month's calls that were left aside, by reason.",
            samples: EvidenceReading.Ignored.allCases.map { why in
                let count =
                    gateway.refresher.counters.evidenceIgnored.value(why)
                    + gateway.upstreamCounters.evidenceIgnored.value(why)
                return (["reason": why.rawValue], String(count))
            })
        let status = gateway.refresher.board.status
        text.add(
            "fxgateway_key_rejected", .gauge, help: "1 while upstream refuses the key of this instance.",
            value: status.isKeyRejected ? 1 : 0)
        text.add(
            "fxgateway_clock_disputed", .gauge,
            help: "1 while this instance's clock and Redis's differ by over ten minutes: it calls nobody.",
            value: status.isClockDisputed ? 1 : 0)
        guard let shadow = status.shadow else { return }
        text.add(
            "fxgateway_quota_external", .gauge,
            help: "Calls of this month that upstream has counted beyond the fleet's own.",
            value: shadow.external)
        text.add(
            "fxgateway_quota_assumed", .gauge,
            help: "Calls that may have been made this month and that nobody has seen.", value: shadow.assumed)
        let outlook = QuotaOutlook(shadow, gateway.configuration.quotaPlan)
        text.add(
            "fxgateway_quota_forecast", .gauge,
            help: "Calls of the whole month if the rest of it goes like the part that has passed.",
            text: outlook.forecast.map { String($0) })
        text.add(
            "fxgateway_quota_pace_seconds", .gauge,
            help: "The interval of fetches that spreads the calls left to the month's end.",
            text: outlook.pace?.secondsText)
        text.add(
            "fxgateway_upstream_refused_kinds", .gauge,
            help: "Kinds of resources that upstream refuses to the key, until they are tried again.",
            value: shadow.refusals.count { $0.key == status.key && $0.rest > status.shadowAge ?? .zero })
    }

    private static func add(_ status: RefreshStatus, to text: inout PrometheusText) {
        text.add(
            "fxgateway_store_reachable", .gauge, help: "1 if the last request to the store was answered.",
            value: status.isStoreReachable ? 1 : 0)
        text.add(
            "fxgateway_fleet_instances", .gauge,
            help: "Instances that have asked the store within the last hour.",
            text: status.instances.map { String($0) })
        if let shadow = status.shadow {
            text.add(
                "fxgateway_quota_limit", .gauge, help: "Calls of the plan this month.", value: shadow.plan)
            text.add(
                "fxgateway_quota_spent", .gauge, help: "Calls of the fleet this month that are settled.",
                value: shadow.counted - shadow.reserved)
            text.add(
                "fxgateway_quota_reserved", .gauge, help: "Calls reserved and not settled.",
                value: shadow.reserved)
            text.add(
                "fxgateway_quota_remaining", .gauge, help: "Calls left this month.",
                value: shadow.left)
            let age = status.shadowAge ?? .zero
            let now = UnixMilliseconds.now
            let cooldowns = shadow.cooldowns.filter { $0.rest > age }
            text.add(
                "fxgateway_cooldown_until_timestamp_seconds", .gauge,
                help: "End of the running cooldown, by scope; absent while none runs.",
                samples: cooldowns.map { (["scope": $0.scope.rawValue], (now + ($0.rest - age)).secondsText) }
            )
        }
        let held = status.resources.compactMap { resource, view in
            view.adopted.map { (resource, $0.snapshot) }
        }
        text.add(
            "fxgateway_snapshot_data_timestamp_seconds", .gauge, help: "Data time of what is held.",
            samples: held.filter { $0.1.list == nil }.map { resource, snapshot in
                (
                    ["resource": resource.name, "source": snapshot.table.source.name],
                    snapshot.table.dataTime.instant.secondsText
                )
            })
        text.add(
            "fxgateway_snapshot_fetched_timestamp_seconds", .gauge, help: "When what is held was fetched.",
            samples: held.map { resource, snapshot in
                (["resource": resource.name], snapshot.fetchedAt.secondsText)
            })
    }

    private static func samples<Label>(_ name: String, _ counter: LabelledCounter<Label>) -> Samples {
        counter.values.map { (KeyValuePairs(dictionaryLiteral: (name, $0.label.rawValue)), String($0.count)) }
    }
}
