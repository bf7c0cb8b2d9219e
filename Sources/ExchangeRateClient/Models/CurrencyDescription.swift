/// What upstream says about one currency.
public struct CurrencyDescription: Hashable, Sendable, Codable {
    /// The code, such as `EUR`.
    public let code: String
    /// The English name.
    public let name: String?
    /// The kind of currency; `fiat` is the only known one.
    public let type: String?
    /// The digits after the decimal point of the smallest unit.
    public let decimals: Int?
    /// Whether its rates are computed over a third currency.
    public let isDerived: Bool?

    init(code: String, body: CurrencyBody) {
        self.code = code
        name = body.name
        type = body.type
        decimals = body.decimals
        isDerived = body.derived
    }

    private enum CodingKeys: String, CodingKey {
        case code, name, type, decimals
        case isDerived = "derived"
    }
}
