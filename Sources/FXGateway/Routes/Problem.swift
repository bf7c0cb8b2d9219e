/// A refusal: what the client is told in place of an answer (RFC 9457).
///
/// `detail` may name what the client sent, but only through `SafeText`.
struct Problem: Error, Equatable, Sendable {
    let kind: ProblemKind
    let detail: String
    /// Whole seconds, at least 1; nil where waiting doesn't help.
    var retryAfter: Int?
    /// What is left to a client that is over its allowance; nil for every other problem.
    var balance: Caller.Balance?
    /// The number of a client that is known and refused all the same; nil for every other problem.
    var client: Int?

    init(
        _ kind: ProblemKind, _ detail: String, retryAfter: Int? = nil, balance: Caller.Balance? = nil,
        client: Int? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.retryAfter = retryAfter.map { max(1, $0) }
        self.balance = balance
        self.client = client
    }

    /// A token that nobody has: the same words for operators and clients, so that they tell nothing.
    static let wrongToken = Problem(.forbidden, "The token is not valid here.")

    /// A parameter or path part that isn't what it must be.
    static func malformed(_ name: StaticString, _ value: some Collection<UInt8>, _ form: StaticString)
        -> Problem
    {
        Problem(.invalidRequest, "\(name): \(SafeText.quoted(bytes: value)) is not \(form).")
    }

    /// The body: problem details with upstream's own members beside them.
    var body: [UInt8] {
        var json = JSONText()
        json.beginObject()
        json.member("type", string: "urn:fxgateway:problem:\(kind.slug)")
        json.member("title", string: "\(kind.title)")
        json.member("status", integer: kind.status)
        json.member("detail", string: detail)
        json.member("result", string: "error")
        json.member("code", string: "\(kind.code)")
        json.member("message", string: detail)
        json.endObject()
        return json.bytes
    }
}
