/// What goes out for one request, and how: decided before the first byte is sent.
struct PlannedAnswer: Sendable {
    /// 0 if no status is ever sent.
    var status: Int
    /// In order; names may repeat.
    var headers: [(name: String, value: String)] = [("Content-Type", "application/json")]
    var body: [UInt8]
    /// The whole answer exactly as given, in place of status, headers and body.
    var raw: [UInt8]?
    var delay: Duration = .zero
    var drip: Fault.Drip?
    var dripsHead = false
    /// Bytes of the body after which `ending` comes.
    var truncate: Int?
    var ending: Fault.Ending?
    /// Whether only the head is sent, as HEAD asks for.
    var omitsBody = false

    init(status: Int, body: String) {
        self.status = status
        self.body = Array(body.utf8)
    }

    /// Whether nothing at all is sent.
    var isSilent: Bool { ending != nil && truncate == nil && raw == nil }

    /// The seconds of its `Retry-After`; nil where there is none, or where it is no number.
    var retryAfter: Int? {
        headers.last { $0.name.lowercased() == "retry-after" }.flatMap { Int($0.value) }
    }

    /// Puts a field in place of those of the same name; nil only takes those out.
    mutating func setHeader(_ name: String, _ value: String?) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { headers.append((name, value)) }
    }
}
