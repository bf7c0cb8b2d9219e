import CacheLayer
import Telemetry

/// What `/metrics` says of the process itself, under the names that Prometheus's own client libraries use.
///
/// A figure that can't be read has no sample.
enum ProcessMetrics {
    static func add(_ figures: ProcessFigures, to text: inout PrometheusText) {
        text.add(
            "process_start_time_seconds", .gauge, help: "When the process began, Unix time.",
            text: figures.start?.secondsText)
        text.add(
            "process_cpu_seconds_total", .counter, help: "User and system time of the process.",
            text: figures.cpu?.secondsText)
        text.add(
            "process_resident_memory_bytes", .gauge, help: "Resident memory of the process.",
            text: figures.residentBytes.map(String.init))
        text.add(
            "process_threads", .gauge, help: "Threads of the process.",
            text: figures.threads.map(String.init))
        text.add(
            "fxgateway_log_lines_dropped_total", .counter,
            help: "Log lines lost since the reader of standard output did not keep up.",
            text: String(LogOutput.standard.dropped.value))
    }
}
