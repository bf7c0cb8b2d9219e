import CacheLayer
import Telemetry

/// What is kept to be asked for again, as this instance has seen it, and how often it was.
enum ArchiveMetrics {
    static func add(
        _ outcomes: LabelledCounter<ArchiveOutcome>, _ archive: ArchiveCounters, to text: inout PrometheusText
    ) {
        text.add(
            "fxgateway_archive_lookups_total", .counter,
            help: "Past snapshots asked for, by where they were.",
            samples: outcomes.values.map { (["outcome": $0.label.rawValue], String($0.count)) })
        text.add(
            "fxgateway_archive_bytes", .gauge,
            help: "Bytes of kept snapshots when this instance last added one; 0 before that.",
            value: archive.bytes)
        text.add(
            "fxgateway_archive_dropped_total", .counter,
            help: "Kept snapshots that gave way to one of this instance before their time.",
            value: archive.dropped.value)
        text.add(
            "fxgateway_archive_refused_total", .counter,
            help: "Snapshots of this instance that were not kept, for want of room.",
            value: archive.refused.value)
    }
}
