import Telemetry

/// What `/metrics` says of streams.
enum StreamMetrics {
    static func add(_ counters: StreamCounters, open: Int, to text: inout PrometheusText) {
        text.add("fxgateway_streams_open", .gauge, help: "Event streams open now.", value: open)
        text.add(
            "fxgateway_streams_opened_total", .counter,
            help: "Event streams that were begun; those that are open and those that ended.",
            value: counters.opened.value)
        text.add(
            "fxgateway_streams_ended_total", .counter, help: "Event streams that ended, by reason.",
            samples: counters.ends.values.map { (["reason": $0.label.rawValue], String($0.count)) })
        text.add(
            "fxgateway_streams_refused_total", .counter,
            help: "Event streams refused because there were too many.", value: counters.refused.value)
        text.add(
            "fxgateway_streams_resumed_total", .counter,
            help: "Event streams that came back and were told what they had missed.",
            value: counters.resumed.value)
        text.add(
            "fxgateway_stream_gaps_total", .counter,
            help: "Times at which a stream that came back could not be told all that it had missed.",
            value: counters.gaps.value)
        text.add(
            "fxgateway_stream_events_total", .counter, help: "Events given to streams, by event.",
            samples: counters.events.values.map { (["event": $0.label.rawValue], String($0.count)) })
    }
}
