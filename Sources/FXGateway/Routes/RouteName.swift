import HTTPEngine

/// The routes, as metrics and the access log name them: a closed set, so that no path can make a label.
///
/// The raw value is its place among the counters.
enum RouteName: Int, CaseIterable, Sendable {
    case latest, rate, convert, convertBatch, day, range, snapshot, currencies, account, stream, explain
    case status, sources, quota, events, healthz, readyz, metrics, openapi, dashboard
    case adminRefresh, adminCooldown, adminCache, adminQuarantine
    /// No route: 404, `OPTIONS *`, and what was refused before there was a path.
    case none

    /// The label's value.
    var label: String {
        switch self {
        case .convertBatch: "convert_batch"
        case .adminRefresh: "admin_refresh"
        case .adminCooldown: "admin_cooldown"
        case .adminCache: "admin_cache"
        case .adminQuarantine: "admin_quarantine"
        case .latest, .rate, .convert, .day, .range, .snapshot, .currencies, .account, .stream, .explain,
            .status, .sources, .quota, .events, .healthz, .readyz, .metrics, .openapi, .dashboard, .none:
            String(describing: self)
        }
    }

    /// The method of the route; GET brings HEAD with it.
    private var method: HTTPMethod {
        switch self {
        case .latest, .rate, .convert, .day, .range, .snapshot, .currencies, .account, .stream, .explain,
            .status, .sources, .quota, .events, .healthz, .readyz, .metrics, .openapi, .dashboard, .none:
            .get
        case .convertBatch, .adminRefresh, .adminQuarantine: .post
        case .adminCooldown, .adminCache: .delete
        }
    }

    /// The methods of the route, as `Allow` names them (RFC 9110 section 10.2.1).
    var allow: StaticString {
        switch method {
        case .post: "POST, OPTIONS"
        case .delete: "DELETE, OPTIONS"
        default: "GET, HEAD, OPTIONS"
        }
    }

    /// Whether it is one of the methods beside OPTIONS.
    func allows(_ asked: HTTPMethod) -> Bool {
        asked == method || asked == .head && method == .get
    }

    /// Whether it is for clients: those of `/v1`, which need a token where there is a clients file.
    var isForClients: Bool {
        switch self {
        case .latest, .rate, .convert, .convertBatch, .day, .range, .snapshot, .currencies, .account, .stream,
            .explain, .status, .sources, .quota, .events:
            true
        case .healthz, .readyz, .metrics, .openapi, .dashboard, .adminRefresh, .adminCooldown, .adminCache,
            .adminQuarantine, .none:
            false
        }
    }

    /// The parameters that have a meaning on the route.
    var parameters: [QueryParameter] {
        switch self {
        case .latest:
            [.base, .symbols, .numbers, .asOf, .snapshot, .maxDataAge, .sources, .onStale, .explain]
        case .day: [.base, .symbols, .numbers, .maxDataAge, .sources, .onStale]
        case .range:
            [
                .base, .symbols, .startDate, .endDate, .format, .cursor, .numbers, .maxDataAge, .sources,
                .onStale,
            ]
        case .rate: [.numbers, .asOf, .snapshot, .maxDataAge, .sources, .onStale, .explain]
        case .convert, .convertBatch:
            [.rounding, .numbers, .date, .asOf, .snapshot, .maxDataAge, .sources, .onStale, .explain]
        case .snapshot: [.symbols, .numbers]
        case .currencies: [.type, .maxDataAge, .onStale]
        case .stream: [.base, .symbols, .numbers, .events, .lastEventID]
        case .explain: [.base, .symbols]
        case .adminRefresh: [.force]
        case .adminCooldown: [.scope]
        case .account, .status, .sources, .quota, .events, .healthz, .readyz, .metrics, .openapi, .dashboard,
            .adminCache, .adminQuarantine, .none:
            []
        }
    }
}
