import CacheLayer
import Telemetry

/// What `/metrics` says of the state file, where there is one.
enum StateFileMetrics {
    static func add(_ health: StateFileHealth, to text: inout PrometheusText) {
        text.add(
            "fxgateway_state_file_writes_total", .counter, help: "Times the state file was written.",
            value: health.writes)
        text.add(
            "fxgateway_state_file_failures_total", .counter,
            help: "Times the state file could not be read or written, by reason.",
            samples: health.failures.map { (["reason": $0.label.rawValue], String($0.count)) })
        text.add(
            "fxgateway_state_file_healthy", .gauge,
            help: "1 if the last try to read or write the state file succeeded.",
            value: health.fault == nil ? 1 : 0)
        text.add(
            "fxgateway_state_file_bytes", .gauge, help: "Size of the state file as last written.",
            value: health.bytes)
        text.add(
            "fxgateway_state_file_adopted_total", .counter,
            help: "Snapshots taken over from the state file at the start.", value: health.adopted)
        text.add(
            "fxgateway_state_file_written_timestamp_seconds", .gauge,
            help: "When the state file was last written; no sample before that.",
            text: health.lastWrite.map { (UnixMilliseconds.now + (.zero - $0)).secondsText })
    }
}
