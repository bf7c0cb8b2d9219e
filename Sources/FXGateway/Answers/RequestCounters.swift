import CacheLayer
import Telemetry

/// How many requests one loop has answered, by route, status and state.
///
/// All three labels are closed sets, so that no input makes a series. Counted by the loop's thread, read from any.
final class RequestCounters: Sendable {
    /// The state label: that of the rates in the answer, `none` for answers without, `unmet` where rates are held that the
    /// caller's own wishes leave aside.
    enum State: Int, CaseIterable, Sendable {
        case none, fresh, late, stale, pinned, unmet

        init(_ freshness: Freshness) {
            switch freshness {
            case .fresh: self = .fresh
            case .late: self = .late
            case .stale, .expired: self = .stale
            }
        }

        var name: String { String(describing: self) }
    }

    /// Every status that is answered here; anything else would be counted as the last.
    private static let statuses = [
        200, 304, 204, 400, 401, 403, 404, 405, 408, 409, 410, 413, 414, 417, 422, 429, 431, 501, 503, 504,
        505,
        500,
    ]
    private static let routes = RouteName.allCases
    private let counters: [Counter]

    init() {
        let count = Self.routes.count * Self.statuses.count * State.allCases.count
        counters = (0..<count).map { _ in Counter() }
    }

    /// Counts one answer.
    func count(_ route: RouteName, status: Int, _ state: State) {
        // The usual statuses stand first: the search is a step or two.
        let status = Self.statuses.firstIndex(of: status) ?? Self.statuses.count - 1
        counters[(route.rawValue * Self.statuses.count + status) * State.allCases.count + state.rawValue]
            .add()
    }

    /// How many answers there were of each state, of all routes and statuses, summed over the loops.
    static func byState(_ loops: [RequestCounters]) -> [(state: State, count: Int)] {
        State.allCases.map { state in
            let places = stride(
                from: state.rawValue, to: routes.count * statuses.count * State.allCases.count,
                by: State.allCases.count)
            let count = loops.reduce(0) { sum, loop in
                places.reduce(sum) { $0 + loop.counters[$1].value }
            }
            return (state, count)
        }
    }

    /// Adds `fxgateway_http_requests_total`, summed over the loops; only series that have counted something.
    static func add(_ loops: [RequestCounters], to text: inout PrometheusText) {
        var samples: [(labels: KeyValuePairs<String, String>, value: String)] = []
        for route in routes {
            for (status, code) in statuses.enumerated() {
                for state in State.allCases {
                    let index =
                        (route.rawValue * statuses.count + status) * State.allCases.count + state.rawValue
                    let sum = loops.reduce(0) { $0 + $1.counters[index].value }
                    guard sum > 0 else { continue }
                    samples.append(
                        (["route": route.label, "status": String(code), "state": state.name], String(sum)))
                }
            }
        }
        text.add(
            "fxgateway_http_requests_total", .counter,
            help: "Requests answered, by route, status and the state of the rates in the answer.",
            samples: samples)
    }
}
