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

    /// The error's first word, with nothing of the server's choice but capital letters, digits and `_`.
    let prefix: String
    let label: RedisErrorLabel
    let effect: Effect

    init(prefix: String, message: String) {
        let isFull = prefix == "ERR" && message.hasPrefix("max number of clients")
        label = isFull ? .maxClients : RedisErrorLabel(rawValue: prefix) ?? .other
        self.prefix = isFull ? RedisErrorLabel.maxClients.rawValue : prefix
        effect =
            switch label {
            case .readOnly, .loading, .masterDown, .clusterDown, .moved, .ask, .tryAgain, .busy, .maxClients:
                .dropsLink
            case .noAuth, .wrongPass: .refusesLogin
            case .noScript: .unknownScript
            case .outOfMemory, .misconfigured, .noReplicas: .refusesWrites
            case .noPerm, .wrongType, .err, .other: .uncertain
            }
    }

    /// What the caller of the command is told.
    var storeError: StoreError {
        switch effect {
        case .dropsLink, .refusesLogin, .unknownScript: .notExecuted(.serverError(prefix))
        case .refusesWrites: .writesRefused
        case .uncertain: .outcomeUnknown(.serverError(prefix))
        }
    }
}
