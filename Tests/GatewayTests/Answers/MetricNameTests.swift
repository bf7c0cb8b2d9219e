import HTTPEngine
import Telemetry
import Testing

@testable import CacheLayer
@testable import FXGateway

@Suite("What the metrics page says")
struct MetricNameTests {
    private func lines(_ health: RedisHealth) -> [String] {
        var text = PrometheusText()
        RedisMetrics.add(health, to: &text)
        return String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("faults on the wire are labelled in snake case, each by a name of its own")
    func faults() {
        let labels = HTTPFault.allCases.map(\.label)
        #expect(labels.allSatisfy { $0.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil })
        #expect(Set(labels).count == labels.count)
        #expect(HTTPFault.malformedRequestLine.label == "malformed_request_line")
        #expect(HTTPFault.tooManyParked.label == "too_many_parked")
    }

    @Test(
        "Redis's clock is shown in seconds, ahead or behind",
        arguments: [
            (Duration.milliseconds(61_500), "61.500"), (.milliseconds(-61_500), "-61.500"),
            (.milliseconds(-7), "-0.007"), (.zero, "0.000"),
        ])
    func skew(skew: Duration, text: String) {
        let health = RedisHealth()
        #expect(!lines(health).contains { $0.hasPrefix("fxgateway_redis_clock_skew_seconds ") })
        health.set(clockSkew: skew)
        #expect(lines(health).contains("fxgateway_redis_clock_skew_seconds \(text)"))
    }

    @Test(
        "a policy that may evict the ledger is shown once it was told",
        arguments: [("allkeys-lru", "1"), ("volatile-lru", "0"), ("noeviction", "0")])
    func eviction(policy: String, value: String) {
        let health = RedisHealth()
        #expect(!lines(health).contains { $0.hasPrefix("fxgateway_redis_may_evict_control ") })
        health.set(evictionPolicy: policy)
        #expect(lines(health).contains("fxgateway_redis_may_evict_control \(value)"))
    }

    @Test("links that failed, that led elsewhere, and commands sent round or not at all are counted apart")
    func counts() {
        let health = RedisHealth()
        health.note(.commandTimedOut)
        health.note(.moved(to: RedisEndpoint.Node(host: "other", port: 6_379)))
        health.detours.add()
        for _ in 0..<3 { health.refused.add() }
        for line in [
            "fxgateway_redis_link_failures_total 2", "fxgateway_redis_redirects_total 1",
            "fxgateway_redis_detours_total 1", "fxgateway_redis_refused_total 3",
        ] { #expect(lines(health).contains(line), "\(line)") }
    }
}
