/// Whether the currency market was open when the answer was made.
///
/// Open: unknown sessions are passed on. It says nothing on the age of a rate: live rates move at weekends.
public struct MarketSession: RawRepresentable, Hashable, Sendable, Codable {
    /// The session as upstream spells it, with underscores.
    public let rawValue: String

    /// Takes any spelling; a hyphen counts as an underscore, as upstream uses both.
    public init(rawValue: String) {
        self.rawValue = String(rawValue.map { $0 == "-" ? "_" : $0 })
    }

    /// The market day is running.
    public static let open = MarketSession(rawValue: "open")

    /// From Friday evening to Sunday evening in New York.
    public static let weekend = MarketSession(rawValue: "weekend")

    /// The interbank market is shut outside the weekend.
    public static let interbankClosed = MarketSession(rawValue: "interbank_closed")
}
