/// What upstream says is wrong, by its own code: a closed list, so that no text of upstream's gets into logs
/// or metrics.
package enum UpstreamProblem: String, Hashable, Sendable, CaseIterable {
    case invalidPair = "invalid_pair"
    case unsupportedBase = "unsupported_base"
    case missingParameter = "missing_parameter"
    case badDate = "bad_date"
    case invalidAmount = "invalid_amount"
    case invalidRequest = "invalid_request"
    case noDataForDate = "no_data_for_date"
    case invalidAPIKey = "invalid_api_key"
    case invalidKey = "invalid_key"
    case keyRevoked = "key_revoked"
    case forbidden
    case rateLimited = "rate_limited"
    case ipRateLimited = "ip_rate_limited"
    case quotaExceeded = "quota_exceeded"
    case quotaUnavailable = "quota_unavailable"
    case authUnavailable = "auth_unavailable"
    case dataUnavailable = "data_unavailable"
    case liveUnavailable = "live_unavailable"
    case sourceUnavailable = "source_unavailable"
    case serviceUnavailable = "service_unavailable"
    case internalError = "internal_error"

    /// No error body is longer; a longer one is not read at all.
    static let largestBody = 65_536

    /// Finds the code in the body of an answer that is no success.
    ///
    /// Looks where upstream puts it (`{"result":"error","code":…}`) and where other shapes would have it
    /// (`{"error":"…"}`, `{"error":{"code":…}}`, `{"error":{"message":…}}`). Nil for anything that isn't a
    /// code of the list to the letter: HTML, an empty body, free text, a code that is new. Two numbers of
    /// another dialect are known as well: 104, the month is used up, and 105, not in the plan. Any thread.
    package static func read(_ body: [UInt8]) -> UpstreamProblem? {
        guard body.count <= largestBody, let root = try? JSONTree.parse(body) else { return nil }
        return find(in: root)
    }

    static func find(in root: JSONTree) -> UpstreamProblem? {
        let error = root["error"]
        let places = [root["code"], error, error?["code"], error?["message"]]
        return places.lazy.compactMap { $0?.string ?? $0?.number }.compactMap(Self.named).first
    }

    private static func named(_ word: String) -> UpstreamProblem? {
        switch word {
        case "104": .quotaExceeded
        case "105": .forbidden
        default: UpstreamProblem(rawValue: word)
        }
    }
}
