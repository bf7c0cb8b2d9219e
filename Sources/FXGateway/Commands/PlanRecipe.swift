/// The three usual ways to use a plan, as `fxgateway plan --recipe` and the README have them.
enum PlanRecipe: String, CaseIterable, Sendable {
    /// Rates for a report that is made once or twice a day.
    case daily
    /// Rates for a dashboard that may be an hour old.
    case hourly
    /// Live rates, as fresh as upstream has them.
    case live

    /// The variables that make it, in the environment's form.
    var environment: KeyValuePairs<String, String> {
        switch self {
        case .daily: ["FXGW_LIVE_TTL": "12h", "FXGW_QUOTA_MONTHLY": "1000"]
        case .hourly: ["FXGW_LIVE_TTL": "1h", "FXGW_QUOTA_MONTHLY": "1000"]
        case .live: ["FXGW_LIVE_TTL": "60s", "FXGW_QUOTA_MONTHLY": "50000"]
        }
    }
}
