/// The currencies upstream has.
public struct CurrencyList: Hashable, Sendable, Codable {
    /// The currencies, in the order of the answer or, where that was a map, of their codes; never empty.
    public let currencies: [CurrencyDescription]
    /// What the gateway adds; nil from upstream itself, and where the body is a bare map.
    public let cache: GatewayCache?

    /// Reads an answer of `/v1/currencies`.
    ///
    /// Two forms are known: a list in `currencies`, and a map by code, either there or as the whole body.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // In a bare map every member is a currency's.
        cache =
            container.contains(.currencies)
            ? try container.decodeIfPresent(GatewayCache.self, forKey: .cache) : nil
        if let list = try? container.decode([CurrencyDescription].self, forKey: .currencies) {
            currencies = list
        } else if container.contains(.currencies) {
            currencies = Self.sorted(try container.decode([String: CurrencyBody].self, forKey: .currencies))
        } else {
            // Members such as `result` stand beside the codes; they describe nothing.
            let members = try decoder.singleValueContainer().decode([String: Member].self)
            currencies = Self.sorted(members.compactMapValues(\.body))
        }
        guard !currencies.isEmpty else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [CodingKeys.currencies], debugDescription: "no currency in it"))
        }
    }

    private static func sorted(_ map: [String: CurrencyBody]) -> [CurrencyDescription] {
        map.sorted { $0.key < $1.key }.map { CurrencyDescription(code: $0.key, body: $0.value) }
    }

    private enum CodingKeys: String, CodingKey {
        case currencies, cache
    }

    private struct Member: Decodable {
        let body: CurrencyBody?

        init(from decoder: any Decoder) throws {
            let body = try? CurrencyBody(from: decoder)
            self.body = body?.name == nil && body?.decimals == nil ? nil : body
        }
    }
}
