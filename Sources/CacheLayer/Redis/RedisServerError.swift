/// What an error reply means for the command, the link and the count.
///
/// Told by the error's first word, as texts differ between servers and versions.
struct RedisServerError: Hashable {
    enum Effect: Hashable {
        /// The command had no effect, and this link is of no use: the next may lead elsewhere.
        case dropsLink
        /// As `dropsLink`, and trying again soon is pointless.
        case refusesLogin
        /// The command had no effect; the link is good.
        case unknownScript
        /// Nothing was written; reads go on.
        case refusesWrites
        /// The command may have had a part of its effect; the link is good.
        case uncertain
    }

    /// What becomes of a working link.
    enum Consequence: Hashable {
        case stays
        case ends(RedisLinkEnd)
        /// Only this command belongs elsewhere.
        case asks(RedisRedirect)
    }

    /// The error's first word, with nothing of the server's choice but capital letters, digits and `_`.
    let prefix: String
    let label: RedisErrorLabel
    let effect: Effect
    /// Where `MOVED` and `ASK` point to.
    let redirect: RedisRedirect?

    init(prefix: String, message: String) {
        let isFull = prefix == "ERR" && message.hasPrefix("max number of clients")
        let word = prefix == "ERR" ? Self.word(insideScriptError: message) ?? prefix : prefix
        label = isFull ? .maxClients : RedisErrorLabel(rawValue: word) ?? .other
        self.prefix = isFull ? RedisErrorLabel.maxClients.rawValue : word
        effect =
            switch label {
            case .readOnly, .loading, .masterDown, .clusterDown, .moved, .ask, .tryAgain, .busy, .maxClients:
                .dropsLink
            case .noAuth, .wrongPass: .refusesLogin
            case .noScript: .unknownScript
            case .outOfMemory, .misconfigured, .noReplicas: .refusesWrites
            case .noPerm, .wrongType, .err, .other: .uncertain
            }
        redirect = label == .moved || label == .ask ? RedisRedirect(parsing: message) : nil
    }

    /// What the caller of the command is told.
    var storeError: StoreError {
        switch effect {
        case .dropsLink, .refusesLogin, .unknownScript: .notExecuted(.serverError(prefix))
        case .refusesWrites: .writesRefused
        case .uncertain: .outcomeUnknown(.serverError(prefix))
        }
    }

    /// What the error means for a working link to a server of such a shape.
    func consequence(in shape: RedisShape) -> Consequence {
        switch (shape, label, redirect) {
        case (.cluster, .moved, let redirect?): .ends(.moved(to: redirect.node))
        case (.cluster, .ask, let redirect?): .asks(redirect)
        // The same node will have all keys, or have handed them all over, in a moment.
        case (.cluster, .tryAgain, _): .stays
        case (.single, .moved, _), (.sentinel, .moved, _): .ends(.isCluster)
        default:
            switch effect {
            case .dropsLink: .ends(.serverError(prefix))
            case .refusesLogin: .ends(.loginRefused(prefix))
            case .unknownScript, .refusesWrites, .uncertain: .stays
            }
        }
    }

    /// The word of the error that ended a script, where Redis before 7 tells it inside another's text.
    ///
    /// Only of errors that a script meets at its first write, before it has had any effect: whether a server takes writes
    /// doesn't change while a script runs.
    private static func word(insideScriptError message: String) -> String? {
        let words: [RedisErrorLabel] = [.readOnly, .outOfMemory, .misconfigured, .noReplicas, .masterDown]
        let isOfScript = message.hasPrefix("Error running script") || message.contains("user_script:")
        guard isOfScript else { return nil }
        return words.first { message.contains(": -\($0.rawValue) ") }?.rawValue
    }
}
