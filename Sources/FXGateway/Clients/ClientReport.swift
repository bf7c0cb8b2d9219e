import CacheLayer

/// What each client has asked and cost, as `/v1/quota` and `/metrics` show it: one row for each that is known or counts.
struct ClientReport {
    struct Row {
        let name: String
        /// Whether it has shown a token; else it is what it calls itself.
        let isVerified: Bool
        /// Requests to this instance, those over the allowance among them.
        let requests: Int
        /// Requests over the allowance.
        let limited: Int
        /// Millionths of calls.
        let share: Int64
        let perMinute: Int?
        /// What it has asked for in the last hour, by name.
        let resources: [String]
    }

    let rows: [Row]

    /// Reads the counters of all loops; rows in the order of cost, then of names.
    ///
    /// Ours (`(none)`, `(unnamed)`, `(other)`) are there once they have counted something.
    init(
        _ names: [String], clients: ClientSet?, counters: [ClientCounters], tally: CallTally,
        wants: [Int: Set<Resource>] = [:]
    ) {
        var configured: [Int: Client] = [:]
        for client in clients?.clients ?? [] { configured[client.number] = client }
        rows = names.enumerated().compactMap { number, name -> Row? in
            let requests = counters.reduce(0) { $0 + $1.requests(of: number) }
            let share = tally.shares[number] ?? 0
            guard configured[number] != nil || requests > 0 || share > 0 else { return nil }
            return Row(
                name: name, isVerified: clients != nil && number > ClientNames.other, requests: requests,
                limited: counters.reduce(0) { $0 + $1.limited(of: number) }, share: share,
                perMinute: configured[number]?.cell?.allowance.perMinute,
                resources: (wants[number] ?? []).map(\.name).sorted())
        }.sorted { ($1.share, $0.name) < ($0.share, $1.name) }
    }
}
