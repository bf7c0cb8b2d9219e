/// The month of a gateway's fleet, as its store told it last.
public struct Quota: Hashable, Sendable, Codable {
    /// The calendar month in UTC, such as `2026-06`.
    public let month: String
    /// The calls that the plan allows.
    public let limit: Int
    /// The calls that are counted, those under way and those of others on the same key among them.
    public let used: Int
    /// The calls that are left.
    public let remaining: Int
    /// The calls that others on the same key have made.
    public let external: Int
    /// Where the month is going at the pace of now, in calls; nil while nobody can tell.
    public let forecast: Int?
    /// The seconds between two calls that make what is left last; nil while there is no pace.
    public let paceSeconds: Int?

    private enum CodingKeys: String, CodingKey {
        case month, limit, used, remaining, external, forecast
        case paceSeconds = "pace_seconds"
    }
}
