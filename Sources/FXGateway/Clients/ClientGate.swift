import HTTPEngine

/// Who may ask, and how much: one loop's view of the clients.
///
/// Without a clients file everybody may, and is counted by the name in `X-Client-Name`. Only for its loop's thread.
struct ClientGate {
    /// Nil without a clients file.
    private(set) var clients: ClientSet?
    private var table: ClientNameTable
    private let counters: ClientCounters

    init(clients: ClientSet?, names: ClientNames, counters: ClientCounters) {
        self.clients = clients
        self.counters = counters
        table = ClientNameTable(names)
    }

    /// Whether a token is needed.
    var isGuarded: Bool { clients != nil }

    /// Takes the clients of a new file; a gateway that began without one stays open.
    mutating func use(_ newer: ClientSet) {
        if clients != nil { clients = newer }
    }

    /// Lets a request in, at a reading of the measuring clock in milliseconds.
    ///
    /// - Throws: 401 without a token, 403 for one that nobody has, 429 over the client's allowance.
    mutating func admit(_ request: HTTPRequest, at now: Int64) throws(Problem) -> Caller {
        guard let clients else {
            let number =
                request.header(named: "x-client-name").map { table.number(of: $0) } ?? ClientNames.unnamed
            counters.countRequest(of: number)
            return Caller(number: number)
        }
        guard let token = ClientToken.of(request) else {
            throw Problem(.unauthorized, "A client's token is needed: Authorization: Bearer, or X-API-Key.")
        }
        guard let client = clients.client(with: token) else {
            throw .wrongToken
        }
        counters.countRequest(of: client.number)
        guard let cell = client.cell else { return Caller(number: client.number, client: client) }
        let perMinute = cell.allowance.perMinute
        switch cell.take(at: now) {
        case .admitted(_, let left, let more):
            return Caller(
                number: client.number, client: client,
                balance: Caller.Balance(perMinute: perMinute, left: left, more: Self.seconds(more)))
        case .refused(let wait):
            counters.countLimited(of: client.number)
            let balance = Caller.Balance(perMinute: perMinute, left: 0, more: Self.seconds(wait))
            throw Problem(
                .allowanceSpent, "The client's \(perMinute) requests a minute are used up.",
                retryAfter: balance.more, balance: balance, client: client.number)
        }
    }

    /// Looks once more at a request that was let in and has waited: its token may have been taken away.
    ///
    /// - Throws: 403 where nobody has it any longer.
    func confirm(_ request: HTTPRequest) throws(Problem) {
        guard let clients else { return }
        guard let token = ClientToken.of(request), clients.client(with: token) != nil else {
            throw .wrongToken
        }
    }

    /// Nanoseconds in whole seconds, rounded up; at least one.
    private static func seconds(_ nanoseconds: Int64) -> Int {
        max(1, Int((nanoseconds + 999_999_999) / 1_000_000_000))
    }
}
