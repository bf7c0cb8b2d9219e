import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

/// One client of a stream of a rig.
final class StreamListener {
    let client: RawHTTPClient

    /// Connects and asks; the answer is read by what follows.
    init(
        _ rig: GatewayRig, _ target: String = "/v1/stream", method: String = "GET", fields: [String] = [],
        receiveBuffer: Int32? = nil
    ) throws {
        client = try RawHTTPClient(port: rig.port, receiveBuffer: receiveBuffer)
        try client.send(GatewayRig.request(target, method: method, fields: fields))
    }

    /// All that has come by now.
    var reading: EventStreamReader { EventStreamReader(client.pending) }

    /// Reads until there are so many events, at most five seconds; then tells all.
    @discardableResult
    func events(_ count: Int) -> [EventStreamReader.Event] {
        _ = client.read { EventStreamReader($0).events.count >= count }
        return reading.events
    }

    /// Reads until the head and the first line have come.
    func begin() -> EventStreamReader {
        _ = client.read { !EventStreamReader($0).retries.isEmpty }
        return reading
    }

    /// Reads for a moment; for what must not come.
    func quiet() -> EventStreamReader {
        _ = client.read(within: .milliseconds(400))
        return reading
    }

    /// Reads until the server has ended its answer or the connection.
    func end() -> EventStreamReader {
        _ = client.read { EventStreamReader($0).isWhole }
        return reading
    }
}

extension EventStreamReader.Event {
    /// Whether it says that events before it are missing.
    var isGap: Bool { data.hasSuffix(#""gap":true}}"#) }
    /// `fresh`, `late` or `stale`.
    var state: String? { data.firstMatch(of: /"cache":{"state":"([a-z]+)"/).map { String($0.output.1) } }
    /// The resource that it is of.
    var resource: String? {
        data.firstMatch(of: /"stream":{"resource":"([^"]+)"/).map { String($0.output.1) }
    }
}

extension GatewayRig {
    /// Has all loops adopt the next table, so many seconds after the first; tells the snapshot's id.
    @discardableResult
    func publish(_ table: RateTable = SampleTable.usd, at seconds: Int) async -> String {
        let moment = Duration.seconds(seconds)
        if time.elapsed < moment { time.advance(by: moment - time.elapsed) }
        await hold(table, token: Int64(seconds) + 1, fetchedAt: SampleTable.fetchedAt + moment)
        return SampleTable.snapshot(table, fetchedAt: SampleTable.fetchedAt + moment).id.text
    }
}
