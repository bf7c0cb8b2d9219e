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
    /// Whether it ended a script, which may have had a part of its effect.
    let isOfScript: Bool
    /// The command that the user lacks permission for, in capital letters, where the server named it.
    let deniedCommand: String?

    init(prefix: String, message: String) {
        let isFull = prefix == "ERR" && message.hasPrefix("max number of clients")
        isOfScript =
            message.hasPrefix("Error running script") || message.contains("user_script:")
            || message.hasPrefix(Self.scriptDenial)
        let word = prefix == "ERR" && isOfScript ? Self.word(insideScriptError: message) ?? prefix : prefix
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
        deniedCommand = label == .noPerm ? Self.command(deniedBy: message) : nil
    }

    /// What the caller of the command is told.
    var storeError: StoreError {
        switch effect {
        case .dropsLink, .refusesLogin, .unknownScript: .notExecuted(.serverError(prefix))
        case .refusesWrites: .writesRefused
        case .uncertain where label == .noPerm:
            isOfScript
                ? .outcomeUnknown(.forbidden(command: deniedCommand))
                : .notExecuted(.forbidden(command: deniedCommand))
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

    /// How Redis before 7.2 begins to say that a script's command, key or channel is denied.
    private static let scriptDenial = "The user executing the script can't "

    /// The word of the error that ended a script, where Redis tells it inside another's text.
    ///
    /// Beside a lack of permission only of errors that a script meets at its first write, before it has had any effect:
    /// whether a server takes writes doesn't change while a script runs.
    private static func word(insideScriptError message: String) -> String? {
        let words: [RedisErrorLabel] = [.readOnly, .outOfMemory, .misconfigured, .noReplicas, .masterDown]
        if let word = words.first(where: { message.contains(": -\($0.rawValue) ") }) { return word.rawValue }
        let isDenied =
            message.contains(scriptDenial) || message.contains(": NOPERM ") || message.contains(": -NOPERM ")
        return isDenied ? RedisErrorLabel.noPerm.rawValue : nil
    }

    /// The command in `… no permissions to run the 'config|get' command`: `CONFIG GET`; or the step of one of our scripts that
    /// met the error, which stands at its end in parentheses.
    private static func command(deniedBy message: String) -> String? {
        if let step = message.firstMatch(of: #/ \(([A-Z]{1,32})\)$/#) { return String(step.output.1) }
        return message.firstMatch(of: #/ run the '([A-Za-z|_.-]{1,32})' command/#)
            .map { $0.output.1.uppercased().replacing("|", with: " ") }
    }
}
