import HTTPEngine

/// The routes, as metrics and the access log name them: a closed set, so that no path can make a label.
///
/// The raw value is its place among the counters.
enum RouteName: Int, CaseIterable, Sendable {
    case latest, rate, convert, convertBatch, day, range, snapshot, status, sources, quota, healthz, readyz,
        metrics, openapi
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
        case .latest, .rate, .convert, .day, .range, .snapshot, .status, .sources, .quota, .healthz, .readyz,
            .metrics, .openapi, .none:
            String(describing: self)
        }
    }

    /// The methods of the route, as `Allow` names them (RFC 9110 section 10.2.1).
    var allow: StaticString {
        switch self {
        case .latest, .rate, .convert, .day, .range, .snapshot, .status, .sources, .quota, .healthz, .readyz,
            .metrics, .openapi, .none:
            "GET, HEAD, OPTIONS"
        case .convertBatch, .adminRefresh, .adminQuarantine: "POST, OPTIONS"
        case .adminCooldown, .adminCache: "DELETE, OPTIONS"
        }
    }

    /// Whether it is one of the methods beside OPTIONS.
    func allows(_ method: HTTPMethod) -> Bool {
        switch self {
        case .latest, .rate, .convert, .day, .range, .snapshot, .status, .sources, .quota, .healthz, .readyz,
            .metrics, .openapi, .none:
            method == .get || method == .head
        case .convertBatch, .adminRefresh, .adminQuarantine: method == .post
        case .adminCooldown, .adminCache: method == .delete
        }
    }

    /// Whether it is for clients: those of `/v1`, which need a token where there is a clients file.
    var isForClients: Bool {
        switch self {
        case .latest, .rate, .convert, .convertBatch, .day, .range, .snapshot, .status, .sources, .quota: true
        case .healthz, .readyz, .metrics, .openapi, .adminRefresh, .adminCooldown, .adminCache,
            .adminQuarantine,
            .none:
            false
        }
    }

    /// The parameters that have a meaning on the route.
    var parameters: [QueryParameter] {
        switch self {
        case .latest: [.base, .symbols, .numbers, .asOf, .snapshot, .maxDataAge, .sources, .onStale]
        case .day: [.base, .symbols, .numbers, .maxDataAge, .sources, .onStale]
        case .range:
            [
                .base, .symbols, .startDate, .endDate, .format, .cursor, .numbers, .maxDataAge, .sources,
                .onStale,
            ]
        case .rate: [.numbers, .asOf, .snapshot, .maxDataAge, .sources, .onStale]
        case .convert, .convertBatch:
            [.rounding, .numbers, .date, .asOf, .snapshot, .maxDataAge, .sources, .onStale]
        case .snapshot: [.symbols, .numbers]
        case .adminRefresh: [.force]
        case .adminCooldown: [.scope]
        case .status, .sources, .quota, .healthz, .readyz, .metrics, .openapi, .adminCache, .adminQuarantine,
            .none:
            []
        }
    }
}
