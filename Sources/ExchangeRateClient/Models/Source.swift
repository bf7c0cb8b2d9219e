/// The freshness class of a rate: how often its value changes, not who published it.
///
/// Open: upstream may name classes this version doesn't know; they are passed on as they came.
public struct Source: RawRepresentable, Hashable, Sendable, Codable {
    /// The class as upstream spells it.
    public let rawValue: String

    /// Takes any spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Consensus of several market feeds; changes about every minute, at weekends too.
    public static let live = Source(rawValue: "live")

    /// The euro reference fix of the ECB, once each business day at about 16:00 in Frankfurt.
    public static let ecbDaily = Source(rawValue: "ecb_daily")

    /// The daily series of the US Federal Reserve; released weekly, so a value can be ten days old.
    public static let fredDaily = Source(rawValue: "fred_daily")
}
