/// Who calls, told by the key or, without one, by the address.
struct Caller: Equatable, Sendable {
    /// Nil for anonymous use.
    let key: String?
    let identity: CallerIdentity

    /// - Throws: `invalidKey` for a key that isn't accepted; a bad key is never taken for anonymous use.
    init(of request: UpstreamRequest, accepted keys: [String]) throws(UpstreamError) {
        let key: String
        if let authorization = request.authorization {
            let words = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, words[0].lowercased() == "bearer" else { throw .invalidKey }
            key = String(words[1])
        } else if let given = request.apiKey {
            key = given
        } else {
            self.key = nil
            identity = .address(request.peer)
            return
        }
        let isAccepted = keys.isEmpty ? key.hasPrefix("exr_live_") && key.utf8.count > 9 : keys.contains(key)
        guard isAccepted else { throw .invalidKey }
        self.key = key
        identity = .key(key)
    }

    /// What may be shown of the key.
    var maskedKey: String { "exr_live_****" + (key.map { String($0.suffix(4)) } ?? "") }
}
