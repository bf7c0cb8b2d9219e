import TestSupport

/// A kind of request whose cost is counted.
struct CountedRequest: Sendable {
    /// What it is called in the limits file.
    let name: String
    /// The target of the request of that number.
    let target: @Sendable (Int) -> String
    /// Header fields beside Host.
    var fields: [String] = []
    /// Requests that are sent together on one connection.
    var depth = 1
    /// Whether the client says that it has the answer already, and is told so.
    var isConditional = false
    /// Whether it is asked of the gateway that has a clients file.
    var isGuarded = false

    /// The token of the only client in the clients file, and its SHA-256.
    static let token = "count-token-0123456789abcdef"
    static let tokenDigest = "f3d47025ab7b2f5677a9c2853abd6962ec751d5c61809d1402bcd3c38784dd96"
    static let latest = "/v1/latest/EUR?symbols=USD,GBP,JPY"

    /// The usual one, with which others can be compared.
    static let usual = CountedRequest(name: "latest") { _ in latest }

    static let all = [
        usual,
        CountedRequest(name: "table") { _ in "/v1/latest/EUR" },
        CountedRequest(name: "not-modified", target: { _ in latest }, isConditional: true),
        CountedRequest(name: "rate") { _ in "/v1/rate/usd-jpy" },
        CountedRequest(name: "convert") { _ in "/v1/convert/usd/jpy/19.99" },
        CountedRequest(
            name: "token", target: { _ in latest }, fields: ["Authorization: Bearer \(token)"],
            isGuarded: true),
        CountedRequest(name: "pipelined", target: { _ in latest }, depth: 16),
        CountedRequest(name: "convert-new") { "/v1/convert/usd/jpy/\(100_000 + $0).25" },
        CountedRequest(name: "latest-new") { "/v1/latest/EUR?symbols=\(symbols($0))" },
    ]

    /// What every answer must have.
    var status: Int { isConditional ? 304 : 200 }

    /// What goes out at once on one connection, for the requests from `number` on; `tag` is that of the answer the client
    /// has, if it has one.
    func bytes(from number: Int, tag: String?) -> String {
        let fields = fields + (tag.map { ["If-None-Match: \($0)"] } ?? [])
        return (number..<number + depth).map { GatewayProcess.request("GET", target($0), fields: fields) }
            .joined()
    }

    /// Four of twenty codes, others for each of the first 4,845 numbers.
    private static func symbols(_ number: Int) -> String {
        var chosen: [String] = []
        var rest = number % 4_845
        var first = 0
        for left in stride(from: 3, through: 0, by: -1) {
            var index = first
            while case let behind = combinations(of: codes.count - index - 1, left), rest >= behind {
                rest -= behind
                index += 1
            }
            chosen.append(codes[index])
            first = index + 1
        }
        return chosen.joined(separator: ",")
    }

    private static func combinations(of count: Int, _ size: Int) -> Int {
        (0..<size).reduce(1) { $0 * (count - $1) / ($1 + 1) }
    }

    private static let codes = [
        "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "JPY",
        "KRW",
        "MXN", "NOK", "NZD", "PLN", "USD",
    ]
}
