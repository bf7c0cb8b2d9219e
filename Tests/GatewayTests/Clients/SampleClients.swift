import CacheLayer

@testable import FXGateway

/// Clients whose tokens are known to the test.
enum SampleClients {
    static let token = "tok-REPORTS-4f1d9c"
    static let other = "tok-SHOP-77aa01"

    static func digest(_ token: String) -> TokenDigest {
        Array(token.utf8).withUnsafeBytes { TokenDigest(of: $0) }
    }

    static func entry(
        _ name: String, _ tokens: String..., perMinute: Int? = nil,
        change: (inout FreshnessWish) -> Void = { _ in }
    ) -> ClientEntry {
        var wish = FreshnessWish.any
        change(&wish)
        return ClientEntry(
            name: name, tokens: tokens.map(digest), allowance: perMinute.map { Allowance(perMinute: $0) },
            wish: wish)
    }

    /// The hexadecimal SHA-256 of a token, by the same library.
    static func hexadecimal(_ token: String) -> String {
        ContentDigest(of: Array(token.utf8)).bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
